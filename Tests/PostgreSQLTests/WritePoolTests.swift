import Basics
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("Writes on a pool of connections", .needsPostgreSQL)
struct WritePoolTests {
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

  private func pool(
    _ database: TestDatabase,
    port: Int? = nil,
    connections: Int = 4,
    _ change: (inout WritePoolOptions) -> Void = { _ in }
  ) throws -> WritePool {
    var options = WritePoolOptions()
    options.connections = connections
    change(&options)
    let way =
      if let port {
        database.options(host: "127.0.0.1", port: port, (name: "sslmode", value: "disable"))
      } else { database.options }
    return try WritePool(way, options: options)
  }

  /// Raises a counter by reading and writing it in two statements, and records that write `id` was done. Done twice, it
  /// violates the key.
  private static func raise(_ counter: Int64, _ id: Int64, _ transaction: ServerTransaction) throws -> Int64 {
    transaction.run(finish, ParameterBuffer(id))
    let value = try transaction.rows(read, ParameterBuffer(counter)).int64(0, 0) + 1
    transaction.run(set, ParameterBuffer(counter, value))
    return value
  }

  private func numbers(_ sql: String, _ database: TestDatabase) async throws -> [Int64] {
    try await database.connect().numbers(sql)
  }

  @Test func `a write is committed with its result, and a body that throws changes nothing`() async throws {
    struct Rejection: Error {}
    let database = try await database()
    let pool = try pool(database)
    let order = Mutex<[String]>([])
    let value = try await pool.write(about: WriteDomain(0)) { transaction in
      transaction.afterCommit { order.withLock { $0.append("committed") } }
      let value = try Self.raise(0, 1, transaction)
      // The transaction sees its own changes.
      let seen = try transaction.rows(Self.read, ParameterBuffer(0)).int64(0, 0)
      order.withLock { $0.append("body") }
      return [value, seen]
    }
    #expect(value == [1, 1])
    #expect(order.withLock { $0 } == ["body", "committed"])
    await #expect(throws: Rejection.self) {
      try await pool.write(about: WriteDomain(0)) { transaction in
        transaction.afterCommit { order.withLock { $0.append("never") } }
        _ = try Self.raise(0, 2, transaction)
        throw Rejection()
      }
    }
    #expect(order.withLock { $0.count } == 2)
    #expect(try await numbers("SELECT value FROM counter UNION ALL SELECT id FROM done", database) == [1, 1])
    await pool.close()
    #expect(await error { try await pool.write(about: WriteDomain(0)) { _ in } }?.code == .closed)
  }

  @Test func `16 writers of 20 rows: each write is done exactly once`() async throws {
    let database = try await database(rows: 20)
    let pool = try pool(database, connections: 16) { $0.patience = 60_000 }
    let writes: Int64 = 1_600
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<writes {
        group.addTask {
          _ = try await pool.write(about: WriteDomain(id % 20)) { try Self.raise(id % 20, id, $0) }
        }
      }
      try await group.waitForAll()
    }
    await pool.close()
    #expect(try await numbers("SELECT value FROM counter ORDER BY id", database) == Array(repeating: 80, count: 20))
    #expect(try await numbers("SELECT count(*) FROM done", database) == [writes])
    #expect(pool.counts.values.committed == Int(writes))
    // There were conflicts, or the test shows nothing.
    #expect(pool.counts.values.retried > 0)
    #expect(pool.counts.values.inDoubt == 0 && pool.counts.values.reconnected == 0)
  }

  /// Each of two doctors may leave only if the other stays. Under weaker isolation both leave.
  @Test func `writes that read what the other changes have an order`() async throws {
    let database = try await TestDatabase(Self.schema + "INSERT INTO shift VALUES (1, 1), (2, 1);")
    let pool = try pool(database, connections: 2)
    let (oneHasRead, otherHasRead) = (Latch(), Latch())
    func leave(_ doctor: Int64, _ hasRead: Latch, waitingFor other: Latch) async throws -> Bool {
      let firstRun = FirstRun()
      return try await pool.write(about: WriteDomain(1)) { transaction in
        let count = try transaction.rows(ServerStatement("SELECT sum(on_call)::bigint FROM shift")).int64(0, 0)
        // Both have read before one writes; the repeated body does not wait again.
        if firstRun.take() {
          hasRead.open()
          other.pass()
        }
        guard count > 1 else { return false }
        transaction.run(
          ServerStatement("UPDATE shift SET on_call = 0 WHERE doctor = $1", types: [.int8]),
          ParameterBuffer(doctor)
        )
        return true
      }
    }
    async let one = leave(1, oneHasRead, waitingFor: otherHasRead)
    async let other = leave(2, otherHasRead, waitingFor: oneHasRead)
    #expect(Set(try await [one, other]) == [true, false])
    #expect(try await numbers("SELECT sum(on_call)::bigint FROM shift", database) == [1])
    #expect(pool.counts.values.retried == 1)
    await pool.close()
  }

  @Test func `a violated constraint reaches the caller after one repetition`() async throws {
    let database = try await database()
    let pool = try pool(database)
    let runs = Counter()
    _ = try await pool.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) }
    let failure = await error {
      try await pool.write(about: WriteDomain(0)) { transaction in
        runs.increment()
        return try Self.raise(0, 1, transaction)
      }
    }
    #expect(failure?.sqlState == "23505" && failure?.constraint == "done_pkey")
    #expect(runs.count == 2)
    #expect(try await numbers("SELECT value FROM counter", database) == [1])
    await pool.close()
  }

  @Test func `a body that ignores a failed statement does not commit`() async throws {
    let database = try await database()
    let pool = try pool(database)
    let failure = await error {
      try await pool.write(about: WriteDomain(0)) { transaction in
        _ = try Self.raise(0, 1, transaction)
        _ = try? transaction.rows(ServerStatement("SELECT 1 / 0"))
      }
    }
    #expect(failure?.sqlState == "22012")
    #expect(try await numbers("SELECT count(*) FROM done", database) == [0])
    await pool.close()
  }

  @Test func `a server process that is killed before the commit: the write is done once`() async throws {
    let database = try await database()
    let pool = try pool(database, connections: 1)
    let isFirst = FirstRun()
    let options = database.options
    let value = try await pool.write(about: WriteDomain(0)) { transaction in
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
    #expect(pool.counts.values.inDoubt == 1 && pool.counts.values.reconnected == 1)
    await pool.close()
  }

  /// The outcome of a COMMIT whose answer is lost is found out, never guessed.
  @Test(arguments: CuttingProxy.Cut.allCases)
  func `a connection that is cut at COMMIT: the write is done once`(cut: CuttingProxy.Cut) async throws {
    let database = try await database()
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let proxy = try CuttingProxy(to: socket, [cut, cut, cut])
    let pool = try pool(database, port: proxy.port, connections: 1)
    let runs = Counter()
    for id: Int64 in 1...5 {
      let value = try await pool.write(about: WriteDomain(0)) { transaction in
        runs.increment()
        return try Self.raise(0, id, transaction)
      }
      #expect(value == id)
    }
    await pool.close()
    #expect(proxy.isDone)
    #expect(try await numbers("SELECT value FROM counter UNION ALL SELECT count(*) FROM done", database) == [5, 5])
    #expect(pool.counts.values.inDoubt == 3)
    // What was committed is not executed again.
    #expect(runs.count == (cut == .afterCommit ? 5 : 8))
    #expect(pool.counts.values.reconnected == (cut == .afterCommit ? 0 : 3))
  }

  @Test func `many writers, and connections that are cut before and after their commits`() async throws {
    let database = try await database(rows: 5)
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let cuts = (0..<40).map { $0.isMultiple(of: 2) ? CuttingProxy.Cut.beforeCommit : .afterCommit }
    let proxy = try CuttingProxy(to: socket, cuts)
    let pool = try pool(database, port: proxy.port, connections: 8) { $0.patience = 60_000 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id: Int64 in 0..<400 {
        group.addTask { _ = try await pool.write(about: WriteDomain(id % 5)) { try Self.raise(id % 5, id, $0) } }
      }
      try await group.waitForAll()
    }
    await pool.close()
    #expect(proxy.isDone)
    #expect(try await numbers("SELECT value FROM counter ORDER BY id", database) == [80, 80, 80, 80, 80])
    #expect(try await numbers("SELECT count(*) FROM done", database) == [400])
    #expect(pool.counts.values.inDoubt == 40)
  }

  @Test func `an outcome that no server can tell is an error of its own`() async throws {
    let database = try await database()
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let proxy = try CuttingProxy(to: socket, [.afterCommit], closesAfterCuts: true)
    let pool = try pool(database, port: proxy.port, connections: 1) { options in
      options.patience = 1_000
      options.recovery = 50
    }
    let failure = await error { try await pool.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) } }
    #expect(failure?.code == .unknownOutcome)
    #expect(proxy.connections > 1)
    await pool.close()
  }

  @Test func `old tokens are deleted, and those of recent writes stay`() async throws {
    let database = try await database()
    let pool = try pool(database, connections: 1)
    _ = try await pool.write(about: WriteDomain(0)) { try Self.raise(0, 1, $0) }
    try await database.connect().run("INSERT INTO commit_token VALUES ('old', now() - interval '11 minutes')")
    #expect(try await pool.removeOldTokens() == 1)
    #expect(try await numbers("SELECT count(*) FROM commit_token", database) == [1])
    await pool.close()
  }

  @Test func `more writes than can wait are rejected, and writes that have waited too long`() async throws {
    let database = try await database()
    let pool = try pool(database, connections: 1) { options in
      options.queuedWrites = 1
      options.patience = 1
    }
    let (isRunning, mayEnd) = (Gate(), Latch())
    // On a busy machine, this write's patience can end before the pool's thread runs.
    async let running: Void = {
      while true {
        do {
          return try await pool.write(about: WriteDomain(0)) { _ in
            isRunning.open()
            mayEnd.pass()
          }
        } catch let error as PostgreSQLError where error.code == .overloaded { continue }
      }
    }()
    await isRunning.pass()
    async let waiting = error { try await pool.write(about: WriteDomain(0)) { _ in } }
    while pool.waitingWrites < 1 { await Task.yield() }
    #expect(await error { try await pool.write(about: WriteDomain(0)) { _ in } }?.code == .overloaded)
    // The patience of 1 ms is over when the first write ends.
    let start = ContinuousClock.now
    while ContinuousClock.now < start + .milliseconds(2) { await Task.yield() }
    mayEnd.open()
    try await running
    #expect(await waiting?.code == .overloaded)
    #expect(pool.counts.values.rejected >= 2)
    await pool.close()
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
