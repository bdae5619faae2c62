import Basics
import PostgreSQL

/// Measures the statements of a reader on a PostgreSQL server. Confined to the reader's thread.
///
/// The time of a statement is that until its result, from the result of the statement before it in the same round trip,
/// or from when they were sent. In a write it includes the statements that were sent with it because their rows were
/// not needed; those have no time of their own.
final class ServerTrace: StatementTimes {
  private var times: [StatementTime] = []

  func add(_ statement: StatementText, duration: Duration = .zero) {
    times.add([StatementTime(sql: statement.postgreSQLText, count: 1, nanoseconds: duration.nanoseconds)])
  }

  func take() -> [StatementTime] {
    defer { removeAll() }
    return times
  }

  func removeAll() { times.removeAll(keepingCapacity: true) }
}
