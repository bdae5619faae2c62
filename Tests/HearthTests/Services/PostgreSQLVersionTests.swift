import Dispatch
import EventLoop
import PostgreSQL
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// What a reader has read of the partitions of a PostgreSQL database is current until a transaction that its snapshot
/// does not contain has changed one of them.
@Suite(
  "Versions of the data that was read from PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLVersionTests {
  private typealias Families = (family: GlobalID, viewer: GlobalID)
  private static let own: Families = (family: GlobalID(rawValue: 1), viewer: GlobalID(rawValue: 3))

  private static let name = SQL<Families>("SELECT f.name FROM \(rows: .family, of: \.family) AS f")
  private static let both = SQL<Families>(
    """
    SELECT f.name, (SELECT count(*) FROM \(rows: .notification, of: \.viewer) AS n)
    FROM \(rows: .family, of: \.family) AS f
    """
  )
  /// Statements that read more than partitions, or could.
  private static let others = [
    SQL<Families>("SELECT name FROM family WHERE id = \(\.family)"),
    SQL<Families>("SELECT f.name, (SELECT count(*) FROM family) FROM \(rows: .family, of: \.family) AS f"),
    SQL<Families>("SELECT f.name FROM \(rows: .family, of: \.family) AS f JOIN session AS s ON s.family_id = f.id"),
    SQL<Families>("SELECT f.name, random() FROM \(rows: .family, of: \.family) AS f"),
    SQL<Families>("SELECT f.name, random () FROM \(rows: .family, of: \.family) AS f"),
    SQL<Families>("SELECT f.name, 'now'::timestamptz::text FROM \(rows: .family, of: \.family) AS f"),
    SQL<Families>("SELECT f.name, CURRENT_DATE::text FROM \(rows: .family, of: \.family) AS f"),
    SQL<Families>("SELECT g.name FROM \(rows: PartitionedTable("person_group", by: "id"), of: \.family) AS g"),
  ]

  /// Confined to the loop.
  private final class Requests {
    let database: Database
    let execute: @Sendable (String) async throws -> String
    private let readers: LoopReaders

    init(_ database: Database, on loop: EventLoop, _ execute: @escaping @Sendable (String) async throws -> String) {
      self.database = database
      self.execute = execute
      readers = database.makeLoopReaders(on: loop)
    }

    func close() { readers.close() }

    /// What one request has read.
    func version(of statements: [SQL<Families>], for parameters: Families = own) async throws -> DataVersion? {
      let reader = try readers.take()
      defer { readers.giveBack(reader) }
      #expect(reader.beginVersionedRead())
      for statement in statements {
        _ = try await reader.inPasses { try reader.all(of: statement, parameters) { $0.string(0) } }
      }
      return reader.dataVersion
    }

    /// Whether it is current for the next request.
    func isCurrent(_ version: DataVersion) async throws -> Bool {
      let reader = try readers.take()
      defer { readers.giveBack(reader) }
      return try await reader.inPasses { try reader.isCurrent(version) }
    }
  }

  /// - Parameter own: nil for the cluster of all tests.
  private func onLoop(
    in own: PostgreSQLCluster? = nil,
    _ body: @escaping @Sendable (Requests) async throws -> Void
  ) async throws {
    let cluster = if let own { own } else { try await PostgreSQLCluster.shared() }
    let name = try await cluster.makeDatabase()
    let server = try PostgreSQLDatabase(
      url: cluster.url(of: name),
      schema: .ofProduct,
      migrations: Migration.all,
      allowsUnsafeSettings: true
    ) { _ in }
    try await cluster.execute("INSERT INTO family VALUES (1, 'f', 'UTC', 0, NULL), (2, 'g', 'UTC', 0, NULL)", in: name)
    let database = try await Database(server, hasVersions: true)
    let loop = try EventLoop()
    defer { loop.stop() }
    try await Task(executorPreference: loop) {
      let requests = Requests(database, on: loop) { sql in try await cluster.execute(sql, in: name) }
      defer { requests.close() }
      try await body(requests)
    }.value
    await database.close()
  }

  private static let ownChange = "UPDATE family SET name = name || 'x' WHERE id = 1"
  private static let otherChange = "UPDATE family SET name = name || 'x' WHERE id = 2"

  @Test func `are current until a partition is changed`() async throws {
    try await onLoop { requests in
      for _ in 0..<2 {
        let version = try #require(try await requests.version(of: [Self.name]))
        for change in [Self.otherChange, "INSERT INTO lease VALUES (random()::text, 1, 1)"] {
          _ = try await requests.execute(change)
          #expect(try await requests.isCurrent(version))
        }
        _ = try await requests.execute(Self.ownChange)
        #expect(try await !requests.isCurrent(version))
      }
    }
  }

  @Test func `are those of all statements`() async throws {
    try await onLoop { requests in
      let other = (family: GlobalID(rawValue: 2), viewer: GlobalID(rawValue: 3))
      let version = try #require(try await requests.version(of: [Self.name, Self.both]))
      let one = try #require(try await requests.version(of: [Self.name], for: other))
      _ = try await requests.execute("INSERT INTO partition_change VALUES (3, pg_current_xact_id())")
      #expect(try await !requests.isCurrent(version))
      #expect(try await requests.isCurrent(one))
    }
  }

  @Test func `are unknown if anything else was read`() async throws {
    try await onLoop { requests in
      for (statements, isKnown) in [([Self.name], true)] + Self.others.map({ ([Self.name, $0], false) }) {
        let version = try await requests.version(of: statements)
        #expect((version != nil) == isKnown, "\(statements.map(\.statement.postgreSQLText))")
      }
    }
  }

  /// Transactions are not committed in the order of their numbers: one that had begun before the snapshot, and one with
  /// a lower number than another that the snapshot contains.
  @Test func `end with a transaction that was in progress`() async throws {
    try await onLoop { requests in
      // The snapshot contains the second transaction, and not the first one.
      let held = DispatchSemaphore(value: 0)
      let begun = Gate()
      let database = requests.database
      let first = Task {
        try await database.write { transaction in
          try transaction.statement(StatementText("UPDATE family SET name = 'h' WHERE id = 1")).run()
          // The rows are needed here: the statement is executed.
          _ = try transaction.reader.statement(StatementText("SELECT 1")).first { $0.int64(0) }
          begun.open()
          held.wait()
        }
      }
      await begun.pass()
      _ = try await requests.execute(Self.otherChange)
      let version = try #require(try await requests.version(of: [Self.name]))
      #expect(try await requests.isCurrent(version))
      held.signal()
      try await first.value
      #expect(try await !requests.isCurrent(version))
    }
  }

  @Test func `do not end with a transaction that is rolled back`() async throws {
    try await onLoop { requests in
      let version = try #require(try await requests.version(of: [Self.name]))
      _ = try await requests.execute("BEGIN; \(Self.ownChange); ROLLBACK")
      #expect(try await requests.isCurrent(version))
    }
  }

  @Test func `end when the changes since them may have been removed`() async throws {
    try await onLoop { requests in
      let version = try #require(try await requests.version(of: [Self.name]))
      let statements = try #require(requests.database.singleStatements)
      let sweep = PartitionChangeSweep(with: statements)
      var sweeps = 0
      // More are needed while a transaction of another test is in progress.
      while try await requests.isCurrent(version) {
        _ = try await requests.execute(Self.otherChange)
        try await sweep.sweep()
        sweeps += 1
      }
      #expect(sweeps > PartitionChangeSweep.keptSweeps)
      let later = try #require(try await requests.version(of: [Self.name]))
      #expect(try await requests.isCurrent(later))
      let left = try await requests.execute(
        """
        SELECT count(*) FROM partition_change
        WHERE change < (SELECT max(change) FROM partition_change WHERE key = 0)
        """
      )
      #expect(left.contains("0"), "\(left)")
    }
  }

  @Test func `do not end with the changes of a server whose backup was restored`() async throws {
    try await onLoop { requests in
      let version = try #require(try await requests.version(of: [Self.name]))
      _ = try await requests.execute("INSERT INTO partition_change VALUES (1, '1000000000000'), (0, '1000000000000')")
      #expect(try await !requests.isCurrent(version))
      try await PartitionChangeSweep(with: try #require(requests.database.singleStatements)).begin()
      #expect(try await requests.isCurrent(version))
    }
  }

  @Test func `are not those of another server, or of restored data`() async throws {
    try await onLoop { requests in
      let version = try #require(try await requests.version(of: [Self.name]))
      guard case .server(let read) = version.source else { throw Unexpected() }
      func isCurrent(serverStart: Int64, table: Int64) async throws -> Bool {
        let snapshot = ServerVersion.Snapshot(
          serverStart: serverStart,
          statisticsReset: read.snapshot.statisticsReset,
          table: table,
          transactions: read.snapshot.transactions
        )
        let other = ServerVersion(snapshot: snapshot, partitions: read.partitions)
        return try await requests.isCurrent(DataVersion(source: .server(other)))
      }
      let (serverStart, table) = (read.snapshot.serverStart, read.snapshot.table)
      #expect(try await isCurrent(serverStart: serverStart, table: table))
      #expect(try await !isCurrent(serverStart: serverStart + 1, table: table))
      #expect(try await !isCurrent(serverStart: serverStart, table: table + 1))
    }
  }

  /// The server recovers without another start, and gives the numbers of lost transactions to others.
  @Test func `are unknown after a process of the server was killed`() async throws {
    try await onLoop(in: try await PostgreSQLCluster.start()) { requests in
      let version = try #require(try await requests.version(of: [Self.name]))
      #expect(try await requests.isCurrent(version))
      // The process that executes the statement. With it the server ends all others.
      let killed = try? await requests.execute("COPY (SELECT) TO PROGRAM 'kill -KILL $PPID'")
      #expect(killed == nil)
      // Each attempt opens a connection, which the server rejects until it has recovered.
      let deadline = ContinuousClock.now + .seconds(30)
      while (try? await requests.execute("SELECT 1")) == nil, ContinuousClock.now < deadline {}
      #expect(try await !requests.isCurrent(version))
      let later = try #require(try await requests.version(of: [Self.name]))
      #expect(try await requests.isCurrent(later))
    }
  }

  private struct Unexpected: Error {}
}
