import Storage

/// A statement that deletes rows some time after they have expired.
struct Sweep: Sendable {
  /// How long rows are kept after the moment that the statement compares, in milliseconds.
  let age: Int64
  /// Deletes at most `limit` rows that are older than `moment`.
  let delete: @Sendable (_ moment: Int64, _ limit: Int64, WriteTransaction) throws -> Void

  /// - Parameter statement: its parameters are the moment and the limit.
  init(_ statement: SQL<Positional>, age: Int64 = Sweeper.memory) {
    self.age = age
    delete = { moment, limit, transaction in try transaction.run(statement, moment, limit) }
  }
}
