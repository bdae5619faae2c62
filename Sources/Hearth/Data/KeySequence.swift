import Storage

/// Allocates the numbers of keys within the write transaction that uses them. A transaction that is rolled back returns
/// its numbers. No committed number is allocated twice.
enum KeySequence {
  // Two statements are faster than one UPDATE with RETURNING, for which SQLite materializes a table: that took a tenth
  // of the writer's time.
  static let next = SQL<Void>("SELECT next FROM sequence")
  static let advance = SQL<Int64>("UPDATE sequence SET next = \(\.self)")
  /// Under which the writer remembers the next number. No row has the key 0.
  private static let memory: Int64 = 0

  static func next(_ kind: Kind, in transaction: WriteTransaction) throws -> GlobalID {
    GlobalID(kind, number: try take(1, in: transaction))
  }

  static func next(_ count: Int, of kind: Kind, in transaction: WriteTransaction) throws -> [GlobalID] {
    let first = try take(Int64(count), in: transaction)
    return (0..<count).map { GlobalID(kind, number: first + Int64($0)) }
  }

  /// Allocates `count` consecutive numbers.
  static func nextNumbers(_ count: Int, in transaction: WriteTransaction) throws -> Range<Int64> {
    guard count > 0 else { return 0..<0 }
    let first = try take(Int64(count), in: transaction)
    return first..<first + Int64(count)
  }

  private static func take(_ count: Int64, in transaction: WriteTransaction) throws -> Int64 {
    let next = try transaction[remembered: memory] ?? transaction.reader.first(of: next, ()) { $0.int64(0) } ?? 0
    try transaction.run(advance, next + count)
    transaction[remembered: memory] = next + count
    return next
  }
}
