import Glibc
import Testing

/// The databases that the servers of the tests can have, chosen by the environment variable `HEARTH_TEST_DATABASE`.
enum TestDatabase: String {
  /// SQLite as in the product: statements are answered at once.
  case sqlite
  /// SQLite whose statements are not answered at once, so that requests read in passes, level by level, as they do with
  /// a database in another process. Programs that tests start have SQLite as in the product.
  case deferred
  /// A PostgreSQL database for each server, in the cluster of the test process. Programs that tests start have SQLite.
  case postgresql

  static let configured: TestDatabase = {
    guard let name = getenv("HEARTH_TEST_DATABASE").map({ String(cString: $0) }) else { return .sqlite }
    guard let database = TestDatabase(rawValue: name) else { preconditionFailure("There is no test database \(name).") }
    return database
  }()
}

extension Trait where Self == ConditionTrait {
  /// A test of what only a SQLite file has. It is skipped, and listed, when servers have PostgreSQL databases.
  static func onlySQLite(_ reason: Comment) -> Self { .disabled(if: TestDatabase.configured == .postgresql, reason) }
}
