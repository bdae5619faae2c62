/// What the only writer of a database remembers from one transaction to the next, so that it need not be read again.
/// It is forgotten when changes are rolled back and when the connection is replaced. Confined to the writer's thread.
final class WriterMemory {
  /// False if others write too: then nothing is remembered.
  private let isUsed: Bool
  private var value: Int64?

  init(isUsed: Bool) { self.isUsed = isUsed }

  var number: Int64? {
    get { value }
    set { if isUsed { value = newValue } }
  }

  func forget() { value = nil }
}
