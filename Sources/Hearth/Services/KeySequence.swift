import Storage

/// Hands out the numbers that keys are made of, within the write that uses them: a write that is undone gives its numbers
/// back, and no number is ever given twice.
enum KeySequence {
  // Two statements: RETURNING would make a table for its one row, each time.
  static let read = SQL("SELECT next FROM sequence")
  static let set = SQL("UPDATE sequence SET next = ?1")

  static func next(_ kind: Kind, _ transaction: WriteTransaction) throws -> GlobalID {
    GlobalID(kind, number: try take(1, transaction))
  }

  static func next(_ count: Int, _ kind: Kind, _ transaction: WriteTransaction) throws -> [GlobalID] {
    let first = try take(Int64(count), transaction)
    return (0..<count).map { GlobalID(kind, number: first + Int64($0)) }
  }

  /// A number that is no key's: it rises with the keys' and like them is never given twice.
  static func nextNumber(_ transaction: WriteTransaction) throws -> Int64 { try take(1, transaction) }

  private static func take(_ count: Int64, _ transaction: WriteTransaction) throws -> Int64 {
    let next = try transaction.statement(read).first { row in row.int64(0) } ?? 0
    try transaction.run(set, next + count)
    return next
  }
}
