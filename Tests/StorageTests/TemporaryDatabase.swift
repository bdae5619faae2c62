import Basics
import Foundation
import Storage
import Synchronization
import TestSupport

/// A temporary folder with a database, deleted with this value.
final class TemporaryDatabase {
  private let directory: TemporaryDirectory
  var folder: String { directory.path }
  let path: String
  let database: Database

  init(
    limits: DatabaseLimits = DatabaseLimits(),
    migrations: [Migration] = TemporaryDatabase.migrations,
    defersReads: Bool = false,
    measuresStatements: Bool = false,
    partitionedTables: [PartitionedTable] = []
  ) throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/test.db"
    var limits = limits
    // Groups do not end earlier because the machine is busy, unless a test is about that.
    if limits.groupTime == DatabaseLimits().groupTime { limits.groupTime = .seconds(60) }
    var opening = DatabaseOpening()
    opening.defersReads = defersReads
    opening.measuresStatements = measuresStatements
    opening.partitionedTables = partitionedTables
    database = try Database(path: path, migrations: migrations, limits: limits, opening: opening)
  }

  static let migrations = [
    Migration(
      1,
      name: "entries",
      sql: """
        CREATE TABLE entry(id INTEGER PRIMARY KEY, filling BLOB) STRICT;
        CREATE TABLE echo(entry INTEGER PRIMARY KEY REFERENCES entry DEFERRABLE INITIALLY DEFERRED) STRICT;
        """
    )
  ]

  func insert(_ id: Int64) async throws {
    try await database.write { transaction in try transaction.insert(id) }
  }

  /// The entries' numbers, as a new reader sees them.
  func entries() throws -> [Int64] { try database.makeReader().entries() }
}

extension StatementText {
  static let insertEntry = StatementText("INSERT INTO entry(id) VALUES (?1)")
  static let insertEcho = StatementText("INSERT INTO echo(entry) VALUES (?1)")
  static let selectEntries = StatementText("SELECT id FROM entry ORDER BY id")
  /// Runs until it is interrupted.
  static let endless = StatementText(
    "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
  )
}

extension WriteTransaction {
  func insert(_ id: Int64, into sql: StatementText = .insertEntry) throws(DatabaseError) {
    let statement = try statement(sql)
    try statement.bind(id, at: 1)
    try statement.run()
  }
}

extension Reader {
  /// Within the current transaction, or a new one.
  func entries() throws(DatabaseError) -> [Int64] {
    var found: [Int64] = []
    try statement(.selectEntries).forEachRow { row in found.append(row.int64(0)) }
    return found
  }
}

/// Blocks the writer from its creation until `release`, so that the writes in between become one group.
struct Hold {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Returns when the writer has begun to wait.
  init(_ database: Database) async {
    let semaphore = semaphore
    await withCheckedContinuation { begun in
      Task.immediate {
        try await database.write { _ in
          begun.resume()
          semaphore.wait()
        }
      }
    }
  }

  func release() { semaphore.signal() }
}

/// A thread-safe list of events in order.
final class Recorder: Sendable {
  private let recorded = Mutex<[Int]>([])
  var values: [Int] { recorded.withLock { $0 } }
  func append(_ value: Int) { recorded.withLock { $0.append(value) } }
}

/// A thread-safe list of messages.
final class Recorded: Sendable {
  private let recorded = Mutex<[String]>([])
  var values: [String] { recorded.withLock { $0 } }
  func append(_ value: String) { recorded.withLock { $0.append(value) } }
}

/// SQLite's readers need no loop.
struct NoLoop: DescriptorWatcher {
  struct Unused: Error {}

  func makeWatch(of _: Int32, _: @escaping (DescriptorEvents) -> Void) throws -> any DescriptorWatch { throw Unused() }
  func makeTimer(_: @escaping () -> Void) -> any WatcherTimer { preconditionFailure("This loop has no timers.") }
  func whenTurnsEnd(_: @escaping () -> Void) {}
}
