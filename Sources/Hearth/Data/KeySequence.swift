import Storage

/// Hands out the numbers that keys are made of, within the write that uses them: a write that is undone gives its
/// numbers back, and no number is ever given twice.
enum KeySequence {
  // Not one UPDATE with RETURNING, for which SQLite makes a table: that took a tenth of the writer's time.
  static let next = SQL<Void>("SELECT next FROM sequence")
  static let advance = SQL<Int64>("UPDATE sequence SET next = \(\.self)")

  static func next(_ kind: Kind, _ transaction: WriteTransaction) throws -> GlobalID {
    GlobalID(kind, number: try take(1, transaction))
  }

  static func next(_ count: Int, _ kind: Kind, _ transaction: WriteTransaction) throws -> [GlobalID] {
    let first = try take(Int64(count), transaction)
    return (0..<count).map { GlobalID(kind, number: first + Int64($0)) }
  }

  /// A number that is no key's: it rises with the keys' and like them is never given twice.
  static func nextNumber(_ transaction: WriteTransaction) throws -> Int64 { try take(1, transaction) }

  /// The same, several at once.
  static func nextNumbers(_ count: Int, _ transaction: WriteTransaction) throws -> Range<Int64> {
    guard count > 0 else { return 0..<0 }
    let first = try take(Int64(count), transaction)
    return first..<first + Int64(count)
  }

  private static func take(_ count: Int64, _ transaction: WriteTransaction) throws -> Int64 {
    let next = try transaction.reader.first(of: next, ()) { row in row.int64(0) } ?? 0
    try transaction.run(advance, next + count)
    return next
  }
}
