import Basics
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// One connection writes, and the writes that are waiting share a transaction (group commit).
@Suite("Writes that share a transaction", .needsPostgreSQL)
struct WriteGroupTests {
  private static let schema =
    CommitToken.table + NumberBlock.sequence + """
      CREATE TABLE counter (value bigint NOT NULL);
      CREATE TABLE done (id bigint PRIMARY KEY, value bigint NOT NULL UNIQUE);
      INSERT INTO counter VALUES (0);
      """
  private static let read = ServerStatement("SELECT value FROM counter", slot: 0)
  private static let set = ServerStatement("UPDATE counter SET value = $1", types: [.int8], slot: 1)
  private static let finish = ServerStatement("INSERT INTO done VALUES ($1, $2)", types: [.int8, .int8], slot: 2)

  private struct Rejection: Error {}

  private func writer(
    _ database: TestDatabase,
    port: Int? = nil,
    counting roundTrips: RoundTripCounter? = nil
  ) throws -> ServerWriter {
    var options = ServerWriterOptions()
    options.groupedWrites = 32
    options.writeTimeout = .seconds(60)
    options.sharedLock = 1
    options.takesNumbers = true
    var way =
      if let port {
        database.options(host: "127.0.0.1", port: port, (name: "sslmode", value: "disable"))
      } else { database.options }
    way.roundTrips = roundTrips
    return try ServerWriter(way, options: options)
  }

  /// Takes the next number of a row, and records that write `id` has it. Done twice, it violates the key; a number that
  /// was given twice violates the other one.
  private static func take(_ id: Int64, _ transaction: ServerTransaction) throws -> Int64 {
    let number = try transaction.rows(read).int64(0, 0)
    transaction.run(set, ParameterBuffer(number + 1))
    transaction.run(finish, ParameterBuffer(id, number))
    return number
  }

  /// Runs `body` while a write keeps the connection busy, and then lets both go on: what `body` has queued waits.
  private func whileBusy<Result: Sendable>(
    _ writer: ServerWriter,
    waiting: Int,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let (isRunning, mayEnd) = (Gate(), Monitor(false))
    async let first: Void = writer.write(about: WriteDomain()) { _ in
      isRunning.open()
      mayEnd.wait { $0 ? () : nil }
    }
    await isRunning.pass()
    async let result = body()
    while writer.waitingWrites < waiting { await Task.yield() }
    mayEnd.withLock { isOpen, _ in isOpen = true }
    mayEnd.broadcast()
    try await first
    return try await result
  }

  private func numbers(_ sql: String, _ database: TestDatabase) async throws -> [Int64] {
    try await database.connect().numbers(sql)
  }

  @Test func `writes that wait share a commit, and each has its own result`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let numbers = try await whileBusy(writer, waiting: 20) {
      try await withThrowingTaskGroup(of: Int64.self) { group in
        for id: Int64 in 0..<20 {
          group.addTask { try await writer.write(about: WriteDomain()) { try Self.take(id, $0) } }
        }
        return try await group.reduce(into: [Int64]()) { $0.append($1) }
      }
    }
    #expect(numbers.sorted() == Array(0..<20))
    // The write before them, and theirs.
    #expect(try await self.numbers("SELECT count(*) FROM commit_token", database) == [2])
    #expect(writer.counts.values.committed == 21)
    await writer.close()
  }

  @Test func `a body that throws changes nothing, and the others stay`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let committed = Numbers()
    let failed = try await whileBusy(writer, waiting: 20) {
      await withTaskGroup(of: Int64?.self) { group in
        for id: Int64 in 0..<20 {
          group.addTask {
            do {
              try await writer.write(about: WriteDomain()) { transaction in
                transaction.afterCommit { committed.add([id]) }
                _ = try Self.take(id, transaction)
                if id.isMultiple(of: 3) { throw Rejection() }
              }
              return nil
            } catch {
              return error is Rejection ? id : -1
            }
          }
        }
        return await group.reduce(into: [Int64]()) { if let id = $1 { $0.append(id) } }
      }
    }
    let others = (0..<20).filter { !$0.isMultiple(of: 3) }.map(Int64.init)
    #expect(failed.sorted() == [0, 3, 6, 9, 12, 15, 18])
    #expect(committed.all.sorted() == others)
    #expect(try await numbers("SELECT id FROM done ORDER BY id", database) == others)
    // The values have no gap, because failed writes returned their numbers.
    #expect(try await numbers("SELECT value FROM done ORDER BY value", database) == Array(0..<Int64(others.count)))
    #expect(try await numbers("SELECT count(*) FROM commit_token", database) == [2])
    await writer.close()
  }

  @Test func `a failed statement fails its own write only`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let failures = try await whileBusy(writer, waiting: 10) {
      await withTaskGroup(of: (Int64, PostgreSQLError?).self) { group in
        for id: Int64 in 0..<10 {
          group.addTask {
            // Three of them have the same key. Nothing waits for the statement that fails.
            (id, await error { try await writer.write(about: WriteDomain()) { try Self.take(min(id, 7), $0) } })
          }
        }
        return await group.reduce(into: [(Int64, PostgreSQLError?)]()) { $0.append($1) }
      }
    }
    #expect(failures.filter { $0.1 == nil }.count == 8)
    let states = failures.compactMap { $0.1?.sqlState }
    #expect(states == ["23505", "23505"])
    #expect(failures.allSatisfy { $0.0 >= 7 || $0.1 == nil })
    #expect(try await numbers("SELECT id FROM done ORDER BY id", database) == Array(0..<8))
    await writer.close()
  }

  @Test func `the order of commits is that of the numbers, and of the actions`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let announced = Numbers()
    let writes: Int64 = 1_000
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<writes {
        group.addTask {
          do {
            try await writer.write(about: WriteDomain()) { transaction in
              let number = try Self.take(id, transaction)
              transaction.afterCommit { announced.add([number]) }
              if id.isMultiple(of: 7) { throw Rejection() }
            }
          } catch is Rejection {}
        }
      }
      try await group.waitForAll()
    }
    let numbers = announced.all
    #expect(numbers == Array(0..<Int64(numbers.count)))
    #expect(numbers.count == (0..<writes).count { !$0.isMultiple(of: 7) })
    // They shared commits, or the test shows nothing.
    #expect(try await self.numbers("SELECT count(*) FROM commit_token", database)[0] < writes / 2)
    await writer.close()
  }

  @Test func `connections that are cut before and after the commits of groups: each write is done once`() async throws {
    let database = try await TestDatabase(Self.schema)
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let cuts = (0..<12).map { $0.isMultiple(of: 2) ? CuttingProxy.Cut.beforeCommit : .afterCommit }
    let proxy = try CuttingProxy(to: socket, cuts)
    let writer = try writer(database, port: proxy.port)
    let announced = Numbers()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id: Int64 in 0..<600 {
        group.addTask {
          try await writer.write(about: WriteDomain()) { transaction in
            let number = try Self.take(id, transaction)
            transaction.afterCommit { announced.add([number]) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(proxy.isDone)
    #expect(writer.counts.values.inDoubt == 12)
    #expect(try await numbers("SELECT value FROM done ORDER BY value", database) == Array(0..<600))
    #expect(announced.all == Array(0..<600))
    await writer.close()
  }

  @Test func `of a commit whose outcome is unknown, a body that threw has certainly stored nothing`() async throws {
    let database = try await TestDatabase(Self.schema)
    let socket = "\(database.cluster.folder)/.s.PGSQL.\(database.cluster.port)"
    let proxy = try CuttingProxy(to: socket, [.afterCommit], closesAfterCuts: true)
    var options = ServerWriterOptions()
    options.groupedWrites = 32
    options.recoveryTimeout = .milliseconds(50)
    let way = database.options(host: "127.0.0.1", port: proxy.port, (name: "sslmode", value: "disable"))
    let writer = try ServerWriter(way, options: options)
    let (isRunning, mayEnd) = (Gate(), Monitor(false))
    // Is rolled back.
    async let first: Void? = try? writer.write(about: WriteDomain()) { _ in
      isRunning.open()
      mayEnd.wait { $0 ? () : nil }
      throw Rejection()
    }
    await isRunning.pass()
    async let stored = error { try await writer.write(about: WriteDomain()) { try Self.take(1, $0) } }
    while writer.waitingWrites < 1 { await Task.yield() }
    async let thrown = error {
      try await writer.write(about: WriteDomain()) { transaction in
        _ = try Self.take(2, transaction)
        throw Rejection()
      }
    }
    while writer.waitingWrites < 2 { await Task.yield() }
    mayEnd.withLock { isOpen, _ in isOpen = true }
    mayEnd.broadcast()
    _ = await first
    #expect(await stored?.code == .unknownOutcome)
    #expect(await thrown?.code == .connectionLost)
    #expect(try await numbers("SELECT id FROM done", database) == [1])
    await writer.close()
  }

  @Test func `a conflict with another session repeats the writes of the group`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let runs = Counter()
    let other = try await database.connect()
    let options = database.options
    let numbers = try await whileBusy(writer, waiting: 5) {
      try await withThrowingTaskGroup(of: Int64.self) { group in
        for id: Int64 in 0..<5 {
          group.addTask {
            try await writer.write(about: WriteDomain()) { transaction in
              runs.increment()
              let number = try transaction.rows(Self.read).int64(0, 0)
              if runs.count == 1 {
                // After the snapshot of the group, before it locks the row.
                try BlockingConnection(try Connector(options).connect()).run("UPDATE counter SET value = 100")
              }
              transaction.run(Self.set, ParameterBuffer(number + 1))
              transaction.run(Self.finish, ParameterBuffer(id, number))
              return number
            }
          }
        }
        return try await group.reduce(into: [Int64]()) { $0.append($1) }
      }
    }
    #expect(numbers.sorted() == Array(100..<105))
    #expect(try await other.numbers("SELECT value FROM counter") == [105])
    #expect(writer.counts.values.retried > 0)
    await writer.close()
  }

  @Test func `groups of two writers that change the same row: nothing is lost or done twice`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writers = [try writer(database), try writer(database)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id: Int64 in 0..<200 {
        group.addTask { _ = try await writers[Int(id % 2)].write(about: WriteDomain()) { try Self.take(id, $0) } }
      }
      try await group.waitForAll()
    }
    #expect(try await numbers("SELECT id FROM done ORDER BY id", database) == Array(0..<200))
    #expect(try await numbers("SELECT value FROM done ORDER BY value", database) == Array(0..<200))
    for writer in writers { await writer.close() }
  }

  @Test func `after a conflict, groups run in the order of what their writes are about, with its locks`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let options = database.options
    let locks = ServerStatement(
      """
      SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid IN (101, 102, 103)
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """,
      slot: 3
    )
    // The keys of the writes, each with the number of locks that the transaction began with.
    let executed = Numbers()
    try await whileBusy(writer, waiting: 3) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key: Int64 in [103, 101, 102] {
          group.addTask {
            _ = try await writer.write(about: WriteDomain(key)) { transaction in
              executed.add([key, try transaction.rows(locks).int64(0, 0)])
              if executed.all.count == 2 {
                // After the snapshot of the group, before it locks the row.
                try BlockingConnection(try Connector(options).connect()).run("UPDATE counter SET value = 100")
              }
              return try Self.take(key, transaction)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    // The second write waits for the answer to the first one, and is not executed after the conflict.
    #expect(executed.all.count == 8 && executed.all[1] == 0)
    #expect(executed.all.dropFirst(2) == [101, 3, 102, 3, 103, 3])
    #expect(writer.counts.values.retried == 1)
    #expect(try await writer.write(about: WriteDomain()) { try $0.rows(locks).int64(0, 0) } == 0)
    #expect(try await numbers("SELECT value FROM done ORDER BY id", database) == [100, 101, 102])
    await writer.close()
  }

  @Test func `numbers for keys: unique in all writers, in order within a transaction, and without a round trip`()
    async throws
  {
    let database = try await TestDatabase(Self.schema)
    let counter = RoundTripCounter()
    let writers = [try writer(database, counting: counter), try writer(database)]
    func take(_ count: Int, from writer: ServerWriter) async throws -> [Int64] {
      try await writer.write(about: WriteDomain()) { transaction in
        _ = try transaction.rows(Self.read)
        return try (0..<count).map { _ in try transaction.nextNumber() }
      }
    }
    _ = try await take(1, from: writers[0])
    let before = counter.count
    var all: [Int64] = []
    for round in 0..<10 {
      let numbers = try await take(20, from: writers[round % 2])
      #expect(numbers == numbers.sorted() && numbers[0] > all.last ?? 0)
      all += numbers
    }
    #expect(Set(all).count == 200)
    // The row, and COMMIT.
    #expect(counter.count - before == 5 * 2)
    // More than a block has.
    let many = try await take(1_000, from: writers[0])
    #expect(Set(many).count == 1_000 && many == many.sorted())
    for writer in writers { await writer.close() }
  }

  @Test func `two writers that lock rows in opposite orders do not wait for the server's search for deadlocks`()
    async throws
  {
    let database = try await TestDatabase(
      Self.schema + "INSERT INTO done VALUES (1, 1), (2, 2);"
        + "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''60s''', current_database()); END $$;"
    )
    var options = ServerWriterOptions()
    options.groupedWrites = 32
    options.writeTimeout = .seconds(60)
    var way = database.options
    way.lockTimeout = .milliseconds(50)
    let writers = [try ServerWriter(way, options: options), try ServerWriter(way, options: options)]
    let raise = ServerStatement("UPDATE done SET value = value + 10 WHERE id = $1 RETURNING id", types: [.int8])
    let runs = Monitor(0)
    func write(_ ids: [Int64], to writer: ServerWriter) async throws {
      try await writer.write(about: WriteDomain()) { transaction in
        _ = try transaction.rows(raise, ParameterBuffer(ids[0]))
        // Each has locked its first row before one goes on.
        runs.withLock { runs, _ in runs += 1 }
        runs.broadcast()
        runs.wait { $0 >= 2 ? () : nil }
        _ = try transaction.rows(raise, ParameterBuffer(ids[1]))
      }
    }
    let start = ContinuousClock.now
    async let first: Void = write([1, 2], to: writers[0])
    async let second: Void = write([2, 1], to: writers[1])
    _ = try await (first, second)
    #expect(try await numbers("SELECT value FROM done ORDER BY id", database) == [21, 22])
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(writers.map(\.counts.values.retried).reduce(0, +) > 0)
    for writer in writers { await writer.close() }
  }

  @Test func `rows that nothing waits for arrive after the commit`() async throws {
    let database = try await TestDatabase(Self.schema)
    let writer = try writer(database)
    let received = Numbers()
    _ = try await whileBusy(writer, waiting: 4) {
      await withTaskGroup(of: Void.self) { group in
        for id: Int64 in 1...4 {
          group.addTask {
            try? await writer.write(about: WriteDomain()) { transaction in
              transaction.run(Self.finish, ParameterBuffer(id, id))
              transaction.run(ServerStatement("DELETE FROM done WHERE id > 1 RETURNING id")) { rows in
                received.add((0..<(rows?.count ?? 0)).compactMap { rows?.int64($0, 0) })
              }
              if id == 3 { throw Rejection() }
            }
          }
        }
      }
    }
    #expect(received.all.sorted() == [2, 4])
    #expect(try await numbers("SELECT id FROM done", database) == [1])
    await writer.close()
  }
}

/// Numbers in the order in which threads have added them.
private final class Numbers: Sendable {
  private let added = Mutex<[Int64]>([])

  var all: [Int64] { added.withLock { $0 } }

  func add(_ numbers: [Int64]) { added.withLock { $0 += numbers } }
}
