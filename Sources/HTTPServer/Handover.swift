/// Passes one item at a time from a connection to the task that waits for it. Confined to the loop's thread.
final class Handover<Item: Sendable> {
  /// Either the item or the waiting task; at most one of them is set.
  private var item: Item?
  private var taker: UnsafeContinuation<Item?, Never>?

  func give(_ item: Item) {
    guard let taker else { return self.item = item }
    self.taker = nil
    taker.resume(returning: item)
  }

  func take() -> Item? {
    defer { item = nil }
    return item
  }

  /// Resumes `taker` with the next item, or with nil once there will be no more.
  func wait(_ taker: UnsafeContinuation<Item?, Never>) { self.taker = taker }

  func close() {
    item = nil
    taker?.resume(returning: nil)
    taker = nil
  }
}
