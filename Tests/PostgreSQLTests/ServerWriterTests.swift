import Basics
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("Writes to a PostgreSQL server", .needsPostgreSQL)
struct ServerWriterTests {
  private static let schema =
    CommitToken.table + """
      CREATE TABLE counter (id bigint PRIMARY KEY, value bigint NOT NULL);
      CREATE TABLE done (id bigint PRIMARY KEY);
      CREATE TABLE shift (doctor bigint PRIMARY KEY, on_call bigint NOT NULL);
      """

  private static let read = ServerStatement("SELECT value FROM counter WHERE id = $1", types: [.int8], slot: 0)
  private static let set = ServerStatement(
    "UPDATE counter SET value = $2 WHERE id = $1",
    types: [.int8, .int8],
    slot: 1
  )
  private static let finish = ServerStatement("INSERT INTO done VALUES ($1)", types: [.int8], slot: 2)

  private func database(rows: Int64 = 1) async throws -> TestDatabase {
    try await TestDatabase(
      Self.schema + "INSERT INTO counter SELECT i, 0 FROM generate_series(0, \(rows - 1)) AS s (i);"
    )
  }

  private func writer(
    _ database: TestDatabase,
    port: Int? = nil,
    _ change: (inout ServerWriterOptions) -> Void = { _ in }
  ) throws -> ServerWriter {
    var options = ServerWriterOptions()
    change(&options)
    let way =
      if let port {
        database.options(host: "127.0.0.1", port: port, (name: "sslmode", value: "disable"))
      } else { database.options }
    return try ServerWriter(way, options: options)
  }

  /// Raises a counter by reading and writing it in two statements, and records that write `id` was done. Done twice, it
  /// violates the key.
  private static func raise(_ counter: Int64, _ id: Int64, _ transaction: ServerTransaction) throws -> Int64 {
    transaction.run(finish, ParameterBuffer(id))
    let value = try transaction.rows(read, ParameterBuffer(counter)).int64(0, 0) + 1
    transaction.run(set, ParameterBuffer(counter, value))
    return value
  }

  /// Raises counters `count` times in all, by several writers at once, and closes them.
  private static func raise(_ counters: Int64, _ count: Int64, by writers: [ServerWriter]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<count {
        let (counter, writer) = (id % counters, writers[Int(id) % writers.count])
        group.addTask { _ = try await writer.write(about: WriteDomain(counter)) { try raise(counter, id, $0) } }
      }
      try await group.waitForAll()
    }
    for writer in writers { await writer.close() }
  }

  private func sum(_ count: KeyPath<WriteCounts.Values, Int>, of writers: [ServerWriter]) -> Int {
    writers.reduce(0) { $0 + $1.counts.values[keyPath: count] }
  }

  private func numbers(_ sql: String, _ database: TestDatabase) async throws -> [Int64] {
    try await database.connect().numbers(sql)
  }

  @Test func `a write is committed with its result, and a body that throws changes nothing`() async throws {
    struct Rejection: Error {}
    let database = try await database()
    let writer = try writer(database)
    let order = Mutex<[String]>([])
    let value = try await writer.write(about: WriteDomain(0)) { transaction in
      transaction.afterCommit { order.withLock { $0.append("committed") } }
      let value = try Self.raise(0, 1, transaction)
      // The transaction sees its own changes.
      let seen = try transaction.rows(Self.read, ParameterBuffer(Int64(0))).int64(0, 0)
      order.withLock { $0.append("body") }
      return [value, seen]
    }
    #expect(value == [1, 1])
    #expect(order.withLock { $0 } == ["body", "committed"])
    await #expect(throws: Rejection.self) {
      try await writer.write(about: WriteDomain(0)) { transaction in
        transaction.afterCommit { order.withLock { $0.append("never") } }
        _ = try Self.raise(0, 2, transaction)
        throw Rejection()
      }
    }
    #expect(order.withLock { $0.count } == 2)
    #expect(try await numbers("SELECT value FROM counter UNION ALL SELECT id FROM done", database) == [1, 1])
    await writer.close()
    #expect(await error { try await writer.write(about: WriteDomain(0)) { _ in } }?.code == .closed)
  }

  @Test func `16 writers of 20 rows: each write is done exactly once`() async throws {
    let database = try await database(rows: 20)
    let writers = try (0..<16).map { _ in try writer(database) { $0.writeTimeout = .seconds(60) } }
    let writes: Int64 = 1_600
    try await Self.raise(20, writes, by: writers)
    #expect(try await numbers("SELECT value FROM counter ORDER BY id", database) == Array(repeating: 80, count: 20))
    #expect(try await numbers("SELECT count(*) FROM done", database) == [writes])
    #expect(sum(\.committed, of: writers) == Int(writes))
    // There were conflicts, or the test shows nothing.
    #expect(sum(\.retried, of: writers) > 0)
    #expect(sum(\.inDoubt, of: writers) == 0 && sum(\.reconnected, of: writers) == 0)
  }

  /// Each of two doctors may leave only if the other stays. Under weaker isolation both leave.
  @Test func `writes that read what the other changes have an order`() async throws {
    let database = try await TestDatabase(Self.schema + "INSERT INTO shift VALUES (1, 1), (2, 1);")
    let writers = [try writer(database), try writer(database)]
    let (oneHasRead, otherHasRead) = (Latch(), Latch())
    func leave(_ doctor: Int, _ hasRead: Latch, waitingFor other: Latch) async throws -> Bool {
      let firstRun = FirstRun()
      return try await writers[doctor - 1].write(about: WriteDomain(1)) { transaction in
        let count = try transaction.rows(ServerStatement("SELECT sum(on_call)::bigint FROM shift")).int64(0, 0)
        // Both have read before one writes; the repeated body does not wait again.
        if firstRun.take() {
          hasRead.open()
          other.pass()
        }
        guard count > 1 else { return false }
        transaction.run(
          ServerStatement("UPDATE shift SET on_call = 0 WHERE doctor = $1", types: [.int8]),
          ParameterBuffer(Int64(doctor))
        )
        return true
      }
    }
    async let one = leave(1, oneHasRead, waitingFor: otherHasRead)
    async let other = leave(2, otherHasRead, waitingFor: oneHasRead)
    #expect(Set(try await [one, other]) == [true, false])
    #expect(try await numbers("SELECT sum(on_call)::bigint FROM shift", database) == [1])
    #expect(sum(\.retried, of: writers) == 1)
    for writer in writers { await writer.close() }
  }

  @Test func `a violated constraint reaches the caller after one repetition`() async throws {
    let database = try await database()
    let writer = try writer(database)
    let runs = Counter()
    _ = try await writer.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) }
    let failure = await error {
      try await writer.write(about: WriteDomain(0)) { transaction in
        runs.increment()
        return try Self.raise(0, 1, transaction)
      }
    }
    #expect(failure?.sqlState == "23505" && failure?.constraint == "done_pkey")
    #expect(runs.count == 2)
    #expect(try await numbers("SELECT value FROM counter", database) == [1])
    await writer.close()
  }

  @Test func `a body that ignores a failed statement does not commit`() async throws {
    let database = try await database()
    let writer = try writer(database)
    let failure = await error {
      try await writer.write(about: WriteDomain(0)) { transaction in
        _ = try Self.raise(0, 1, transaction)
        _ = try? transaction.rows(ServerStatement("SELECT 1 / 0"))
      }
    }
    #expect(failure?.sqlState == "22012")
    #expect(try await numbers("SELECT count(*) FROM done", database) == [0])
    await writer.close()
  }

  @Test func `a server process that is killed before the commit: the write is done once`() async throws {
    let database = try await database()
    let writer = try writer(database)
    let isFirst = FirstRun()
    let options = database.options
    let value = try await writer.write(about: WriteDomain(0)) { transaction in
      let value = try Self.raise(0, 1, transaction)
      if isFirst.take() {
        let backend = try transaction.rows(ServerStatement("SELECT pg_backend_pid()")).int64(0, 0)
        let other = BlockingConnection(try Connector(options).connect())
        try other.run("SELECT pg_terminate_backend(\(backend), 10000)")
      }
      return value
    }
    #expect(value == 1)
    #expect(try await numbers("SELECT value FROM counter UNION ALL SELECT id FROM done", database) == [1, 1])
    #expect(writer.counts.values.inDoubt == 1 && writer.counts.values.reconnected == 1)
    await writer.close()
  }

  /// The outcome of a COMMIT whose answer is lost is found out, never guessed.
  @Test(arguments: CuttingProxy.Cut.allCases)
  func `a connection that is cut at COMMIT: the write is done once`(cut: CuttingProxy.Cut) async throws {
    let database = try await database()
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let proxy = try CuttingProxy(to: socket, [cut, cut, cut])
    let writer = try writer(database, port: proxy.port)
    let runs = Counter()
    for id: Int64 in 1...5 {
      let value = try await writer.write(about: WriteDomain(0)) { transaction in
        runs.increment()
        return try Self.raise(0, id, transaction)
      }
      #expect(value == id)
    }
    await writer.close()
    #expect(proxy.isDone)
    #expect(try await numbers("SELECT value FROM counter UNION ALL SELECT count(*) FROM done", database) == [5, 5])
    #expect(writer.counts.values.inDoubt == 3)
    // What was committed is not executed again.
    #expect(runs.count == (cut == .afterCommit ? 5 : 8))
    #expect(writer.counts.values.reconnected == (cut == .afterCommit ? 0 : 3))
  }

  @Test func `a write goes on with a new connection when its server has become read-only, or a standby`()
    async throws
  {
    let database = try await database()
    let writer = try writer(database)
    _ = try await writer.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) }
    let change = ServerStatement("SELECT set_config('default_transaction_read_only', 'on', false)")
    try await writer.execute(change) { _ in }
    #expect(try await writer.write(about: WriteDomain(0)) { try Self.raise(0, 2, $0) } == 2)
    #expect(writer.counts.values.reconnected == 1)
    // The error of SERIALIZABLE transactions at a standby.
    let rejection = ServerStatement("DO $$ BEGIN RAISE 'standby' USING ERRCODE = '0A000'; END $$")
    let isFirst = FirstRun()
    let value = try await writer.write(about: WriteDomain(0)) { transaction in
      if isFirst.take() { transaction.run(rejection) }
      return try Self.raise(0, 3, transaction)
    }
    #expect(value == 3)
    #expect(writer.counts.values.reconnected == 2 && writer.counts.values.inDoubt == 0)
    await writer.close()
  }

  @Test func `a server that stays read-only is an error, of each write`() async throws {
    let database = try await database()
    try await database.cluster.execute("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
    let writer = try writer(database) { options in
      options.writeTimeout = .milliseconds(500)
      options.recoveryTimeout = .zero
    }
    for id: Int64 in 1...2 {
      let failure = await error { try await writer.write(about: WriteDomain(0)) { try Self.raise(0, id, $0) } }
      #expect(failure?.sqlState == "25006")
    }
    await writer.close()
  }

  @Test func `an inquiry whose answer was lost is not taken for the commit`() async throws {
    let database = try await database()
    let connection = BlockingConnection(try Connector(database.options).connect())
    let (lost, committed) = (CommitToken(), CommitToken())
    for _ in 0..<3 { #expect(try !lost.wasCommitted(on: connection)) }
    try connection.run(.insertToken, committed.parameters)
    for _ in 0..<3 { #expect(try committed.wasCommitted(on: connection)) }
    // The server that has taken over has a clock that is behind.
    let ahead = CommitToken()
    let insertion = ServerStatement("INSERT INTO commit_token VALUES ($1, now() + interval '3 hours')", types: [.bytea])
    try connection.run(insertion, ahead.parameters)
    #expect(try ahead.wasCommitted(on: connection))
  }

  @Test func `many writers, and connections that are cut before and after their commits`() async throws {
    let database = try await database(rows: 5)
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let cuts = (0..<40).map { $0.isMultiple(of: 2) ? CuttingProxy.Cut.beforeCommit : .afterCommit }
    let proxy = try CuttingProxy(to: socket, cuts)
    let writers = try (0..<8).map { _ in try writer(database, port: proxy.port) { $0.writeTimeout = .seconds(60) } }
    try await Self.raise(5, 400, by: writers)
    #expect(proxy.isDone)
    #expect(try await numbers("SELECT value FROM counter ORDER BY id", database) == [80, 80, 80, 80, 80])
    #expect(try await numbers("SELECT count(*) FROM done", database) == [400])
    #expect(sum(\.inDoubt, of: writers) == 40)
  }

  @Test func `an outcome that no server can tell is an error of its own`() async throws {
    let database = try await database()
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let proxy = try CuttingProxy(to: socket, [.afterCommit], closesAfterCuts: true)
    let writer = try writer(database, port: proxy.port) { options in
      options.writeTimeout = .seconds(1)
      options.recoveryTimeout = .milliseconds(50)
    }
    let failure = await error { try await writer.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) } }
    #expect(failure?.code == .unknownOutcome)
    #expect(proxy.connections > 1)
    await writer.close()
  }

  @Test func `old tokens are deleted, and those of recent writes stay`() async throws {
    let database = try await database()
    let writer = try writer(database)
    _ = try await writer.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) }
    try await database.connect().run("INSERT INTO commit_token VALUES ('old', now() - interval '11 minutes')")
    #expect(try await writer.removeOldTokens() == 1)
    #expect(try await numbers("SELECT count(*) FROM commit_token", database) == [1])
    // Inquiries too.
    let connection = BlockingConnection(try Connector(database.options).connect())
    #expect(try !CommitToken().wasCommitted(on: connection))
    #expect(try await writer.removeOldTokens() == 0)
    try connection.run("UPDATE commit_token SET written_at = written_at - interval '11 minutes'")
    #expect(try await writer.removeOldTokens() == 2)
    await writer.close()
  }

  @Test func `more writes than can wait are rejected, and writes that have waited too long`() async throws {
    let database = try await database()
    let writer = try writer(database) { options in
      options.queuedWrites = 1
      options.writeTimeout = .milliseconds(1)
    }
    let (isRunning, mayEnd) = (Gate(), Latch())
    // On a busy machine, this write's timeout can end before the writer's thread runs.
    async let running: Void = {
      while true {
        do {
          return try await writer.write(about: WriteDomain(0)) { _ in
            isRunning.open()
            mayEnd.pass()
          }
        } catch let error as PostgreSQLError where error.code == .overloaded { continue }
      }
    }()
    await isRunning.pass()
    async let waiting = error { try await writer.write(about: WriteDomain(0)) { _ in } }
    while writer.waitingWrites < 1 { await Task.yield() }
    #expect(await error { try await writer.write(about: WriteDomain(0)) { _ in } }?.code == .overloaded)
    // The timeout of 1 ms is over when the first write ends.
    let start = ContinuousClock.now
    while ContinuousClock.now < start + .milliseconds(2) { await Task.yield() }
    mayEnd.open()
    try await running
    #expect(await waiting?.code == .overloaded)
    #expect(writer.counts.values.rejected >= 2)
    await writer.close()
  }
}

/// Blocks threads until it is opened: for bodies of writes, which run on threads of their own.
private final class Latch: Sendable {
  private let isOpen = Monitor(false)

  func open() {
    isOpen.withLock { isOpen, _ in
      isOpen = true
    }
    isOpen.broadcast()
  }

  func pass() { isOpen.wait { $0 ? () : nil } }
}

/// True once.
private final class FirstRun: Sendable {
  private let isFirst = Mutex(true)

  func take() -> Bool {
    isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
  }
}
