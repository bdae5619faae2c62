/// Hands one thing at a time from a connection to the task that waits for it. Belongs to the loop's thread.
struct Handover<Item: Sendable> {
  /// What there is to take, or who waits for it: one of them at most.
  private var item: Item?
  private var taker: UnsafeContinuation<Item?, Never>?

  mutating func give(_ item: Item) {
    guard let taker else { return self.item = item }
    self.taker = nil
    taker.resume(returning: item)
  }

  mutating func take() -> Item? {
    defer { item = nil }
    return item
  }

  /// Resumes `taker` with what is given next, or with nil when there is nothing more to come.
  mutating func wait(_ taker: UnsafeContinuation<Item?, Never>) { self.taker = taker }

  mutating func close() {
    item = nil
    taker?.resume(returning: nil)
    taker = nil
  }
}
