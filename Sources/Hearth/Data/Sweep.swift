import Storage

/// A statement that deletes rows some time after their expiry.
struct Sweep: Sendable {
  let statement: SQL<Sweeper.Portion>
  /// How long rows are kept after the time that the statement compares, in milliseconds.
  let age: Int64

  init(_ statement: SQL<Sweeper.Portion>, age: Int64 = Sweeper.retention) {
    self.statement = statement
    self.age = age
  }
}
