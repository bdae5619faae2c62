import Storage

/// What is done with rows some time after their expiry. Most sweeps delete them, by one statement.
struct Sweep: Sendable {
  /// Handles at most as many rows as the portion allows, and returns their number.
  typealias Step = @Sendable (_ portion: Sweeper.Portion, WriteTransaction) throws -> Int

  /// How long after the time that the step compares, in milliseconds.
  let age: Int64
  let step: Step

  init(age: Int64, step: @escaping Step) {
    self.age = age
    self.step = step
  }

  /// - Parameter age: how long rows are kept after the time that the statement compares, in milliseconds.
  init(_ statement: SQL<Sweeper.Portion>, age: Int64 = Sweeper.retention) {
    self.init(age: age) { portion, transaction in
      try transaction.run(statement, portion)
      return transaction.changedRows
    }
  }
}
