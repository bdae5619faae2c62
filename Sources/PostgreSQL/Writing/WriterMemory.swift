/// The numbers that the only writer of a database remembers from one transaction to the next, so that they need not be
/// read again. Those that a write has set are restored when the write throws. All are forgotten when a statement fails,
/// possibly because another session has written, and when the connection is replaced. Confined to the writer's thread.
final class WriterMemory {
  /// More numbers are not remembered.
  private static let limit = 100_000

  /// False if others write too: then nothing is remembered.
  private let isUsed: Bool
  private var numbers: [Int64: Int64] = [:]
  /// What the current write has replaced, in this order.
  private var replaced: [(key: Int64, number: Int64?)] = []

  init(isUsed: Bool) { self.isUsed = isUsed }

  subscript(key: Int64) -> Int64? {
    get { numbers[key] }
    set {
      guard isUsed else { return }
      replaced.append((key, numbers[key]))
      numbers[key] = newValue
    }
  }

  /// Must be called before each write.
  func beginWrite() {
    replaced.removeAll(keepingCapacity: true)
    if numbers.count > Self.limit { numbers = [:] }
  }

  /// Restores the numbers from before the current write.
  func undoWrite() {
    for (key, number) in replaced.reversed() { numbers[key] = number }
    replaced.removeAll(keepingCapacity: true)
  }

  func forget() {
    numbers = [:]
    replaced = []
  }
}
