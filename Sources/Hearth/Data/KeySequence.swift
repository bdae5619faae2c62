import Storage

/// Allocates the numbers of keys within the write transaction that uses them. No committed number is allocated twice.
///
/// SQLite's writer counts in a row, which it reads and updates once for the writes that share a commit. On PostgreSQL
/// they come from a sequence, because several processes write: a row that counts would let only one transaction of all
/// at a time get past it. Its numbers rise in the order in which transactions begin. A write that fails leaves a hole.
enum KeySequence {
  // Two statements are faster than one UPDATE with RETURNING, for which SQLite materializes a table: that took a tenth
  // of the writer's time.
  static let next = SQL<Void>("SELECT next FROM sequence")
  static let advance = SQL<Int64>("UPDATE sequence SET next = \(\.self)")

  static func next(_ kind: Kind, in transaction: WriteTransaction) throws -> GlobalID {
    GlobalID(kind, number: try transaction.nextNumber() ?? count(1, in: transaction))
  }

  static func next(_ count: Int, of kind: Kind, in transaction: WriteTransaction) throws -> [GlobalID] {
    try nextNumbers(count, in: transaction).map { GlobalID(kind, number: $0) }
  }

  /// Allocates `count` numbers, in rising order.
  static func nextNumbers(_ count: Int, in transaction: WriteTransaction) throws -> [Int64] {
    guard count > 0 else { return [] }
    if let numbers = try transaction.nextNumbers(count) { return numbers }
    let first = try self.count(Int64(count), in: transaction)
    return Array(first..<first + Int64(count))
  }

  /// Returns the next number of the row, and raises it by `count`.
  private static func count(_ count: Int64, in transaction: WriteTransaction) throws -> Int64 {
    let taken = try takenNumbers(in: transaction)
    defer { taken.next += count }
    return taken.next
  }

  private static func takenNumbers(in transaction: WriteTransaction) throws -> TakenNumbers {
    if let taken = transaction.collectedByGroup as? TakenNumbers { return taken }
    let next = try transaction.reader.number(of: next, ()) ?? 0
    let taken = TakenNumbers(next: next)
    transaction.collectedByGroup = taken
    return taken
  }
}

/// The numbers that the writes of a group have taken from the row of SQLite.
private final class TakenNumbers: GroupWrites {
  var next: Int64

  init(next: Int64) { self.next = next }

  func write(in transaction: WriteTransaction) throws(DatabaseError) { try transaction.run(KeySequence.advance, next) }
}
