/// A block of numbers that no other transaction has. It comes from a sequence, which several processes share without
/// waiting for each other, as they would at a row that counts. A transaction takes a block together with its first
/// statements, so that it waits for none, and does not return what is left: its numbers rise with the time at which
/// transactions begin.
struct NumberBlock {
  /// The sequence that the database must have.
  static let sequence = "CREATE SEQUENCE key_block INCREMENT BY 64;"
  static let size = 64

  private var numbers: Range<Int64>

  /// - Parameter rows: of `ServerStatement.takeNumbers`.
  init(_ rows: ResultRows) {
    let first = rows.int64(0, 0)
    numbers = first..<first + Int64(Self.size)
  }

  var count: Int { numbers.count }

  mutating func next() -> Int64? { numbers.popFirst() }
}
