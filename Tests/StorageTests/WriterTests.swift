import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Writer")
struct WriterTests {
  struct BodyError: Error {}

  typealias Body = @Sendable (WriteTransaction) throws -> Void

  /// Queues the bodies in order as one group, and returns their outcomes.
  func group(on database: Database, _ bodies: [Body]) async -> [String] {
    let hold = await Hold(database)
    let tasks = bodies.map { body in Task.immediate { try await database.write(body) } }
    hold.release()
    var results: [String] = []
    for task in tasks {
      switch await task.result {
      case .success: results.append("stored")
      case .failure(let error): results.append((error as? DatabaseError)?.code.rawValue ?? "\(type(of: error))")
      }
    }
    return results
  }

  @Test func `returns the result of the body once others can see its changes`() async throws {
    let temporary = try TemporaryDatabase()
    let entries = try await temporary.database.write { transaction in
      try transaction.insert(42)
      #expect(transaction.changedRows == 1)
      return try transaction.reader.entries()
    }
    #expect(entries == [42])
    #expect(try temporary.entries() == [42])
  }

  @Test func `rolls back a body that throws, alone`() async throws {
    let temporary = try TemporaryDatabase()
    await #expect(throws: BodyError.self) {
      try await temporary.database.write { transaction in
        try transaction.insert(1)
        throw BodyError()
      }
    }
    try await temporary.insert(2)
    #expect(try temporary.entries() == [2])
  }

  @Test func `rolls back the body of a group that throws, and keeps the others`() async throws {
    let temporary = try TemporaryDatabase()
    let results = await group(
      on: temporary.database,
      (0..<32).map { n -> Body in
        { transaction in
          try transaction.insert(Int64(n))
          if n % 5 == 3 { throw BodyError() }
        }
      }
    )
    #expect(results == (0..<32).map { $0 % 5 == 3 ? "BodyError" : "stored" })
    #expect(try temporary.entries() == (0..<32).filter { $0 % 5 != 3 })
  }

  @Test func `runs a group again when a body fails, and the bodies of the next groups once`() async throws {
    let temporary = try TemporaryDatabase()
    let runs = Recorder()
    let log = Recorder()
    /// Three writes, of which the second fails.
    func failingGroup(from first: Int) async -> [String] {
      await group(
        on: temporary.database,
        (first..<first + 3).map { n -> Body in
          { transaction in
            runs.append(n)
            transaction.afterCommit { log.append(n) }
            try transaction.insert(Int64(n))
            if n == first + 1 { throw BodyError() }
          }
        }
      )
    }
    #expect(await failingGroup(from: 0) == ["stored", "BodyError", "stored"])
    #expect(runs.values == [0, 1, 0, 1, 2])
    #expect(await failingGroup(from: 10) == ["stored", "BodyError", "stored"])
    #expect(runs.values == [0, 1, 0, 1, 2, 10, 11, 12])
    for n in 0..<100 {
      let inserts = [0, 1].map { m -> Body in { try $0.insert(Int64(100 + 2 * n + m)) } }
      #expect(await group(on: temporary.database, inserts) == ["stored", "stored"])
    }
    #expect(await failingGroup(from: 20) == ["stored", "BodyError", "stored"])
    #expect(runs.values == [0, 1, 0, 1, 2, 10, 11, 12, 20, 21, 20, 21, 22])
    #expect(log.values == [0, 2, 10, 12, 20, 22])
    #expect(try temporary.entries() == [0, 2, 10, 12, 20, 22] + Array(100..<300))
  }

  /// What a body takes until its transaction is released.
  private final class HeldByBody: Sendable {
    static let count = Mutex(0)
    init() { Self.count.withLock { $0 += 1 } }
    deinit { Self.count.withLock { $0 -= 1 } }
  }

  @Test func `returns what a group has taken before it runs again`() async throws {
    let temporary = try TemporaryDatabase()
    let counts = Recorder()
    let take: Body = { transaction in
      counts.append(HeldByBody.count.withLock { $0 })
      let held = HeldByBody()
      transaction.afterCommit { withExtendedLifetime(held) {} }
    }
    let fail: Body = { transaction in
      try take(transaction)
      throw BodyError()
    }
    #expect(await group(on: temporary.database, [take, fail]) == ["stored", "BodyError"])
    #expect(counts.values == [0, 1, 0, 1])
  }

  @Test(arguments: [
    ("INSERT INTO entry(id) VALUES (1)", DatabaseError.Code.unique),
    ("INSERT INTO entry(id, filling) VALUES (7, 'text')", .constraint),
    ("INSERT INTO echo(entry) VALUES (99)", .foreignKey),
  ])
  func `reports the constraint that a body violates, and keeps the others`(text: String, code: DatabaseError.Code)
    async throws
  {
    let temporary = try TemporaryDatabase()
    let sql = StatementText(text)
    let results = await group(
      on: temporary.database,
      [
        { try $0.insert(1) },
        { transaction in
          try transaction.insert(2)
          try transaction.statement(sql).run()
        },
        { try $0.insert(3) },
      ]
    )
    #expect(results == ["stored", code.rawValue, "stored"])
    #expect(try temporary.entries() == [1, 3])
  }

  @Test func `rolls back a body that leaves a deferred foreign key violated`() async throws {
    let temporary = try TemporaryDatabase()
    // The referenced row could still be inserted, but is not.
    let violate: Body = { transaction in
      try transaction.insert(8)
      try transaction.insert(9, into: .insertEcho)
    }
    #expect(await group(on: temporary.database, [violate, { try $0.insert(1) }]) == ["foreignKey", "stored"])
    #expect(try temporary.entries() == [1])
    let echoes = try await temporary.database.write { transaction in
      try transaction.statement(StatementText("SELECT count(*) FROM echo")).first { row in row.int64(0) }
    }
    #expect(echoes == 0)
  }

  @Test func `runs the other bodies again when one loses the transaction`() async throws {
    var limits = DatabaseLimits()
    limits.writeSteps = 100_000
    let temporary = try TemporaryDatabase(limits: limits)
    let runs = Recorder()
    let log = Recorder()
    // SQLite rolls everything back when a statement that writes is stopped.
    let endless = StatementText(
      "WITH RECURSIVE n(x) AS (VALUES (100) UNION ALL SELECT x + 1 FROM n) INSERT INTO entry(id) SELECT x FROM n"
    )
    let results = await group(
      on: temporary.database,
      (0..<3).map { n -> Body in
        { transaction in
          runs.append(n)
          transaction.afterCommit { log.append(n) }
          try transaction.insert(Int64(n))
          if n == 1 { try transaction.statement(endless).run() }
        }
      }
    )
    #expect(results == ["stored", "budgetExceeded", "stored"])
    #expect(try temporary.entries() == [0, 2])
    #expect(runs.values == [0, 1, 0, 2])
    #expect(log.values == [0, 2])
  }

  @Test func `commits nothing for a body that continues after its transaction was lost`() async throws {
    var limits = DatabaseLimits()
    limits.writeSteps = 100_000
    let temporary = try TemporaryDatabase(limits: limits)
    let endless = StatementText(
      "WITH RECURSIVE n(x) AS (VALUES (100) UNION ALL SELECT x + 1 FROM n) INSERT INTO entry(id) SELECT x FROM n"
    )
    let results = await group(
      on: temporary.database,
      [
        { transaction in
          try? transaction.statement(endless).run()
          try? transaction.insert(1)
        },
        { transaction in try transaction.statement(StatementText("COMMIT")).run() },
        { try $0.insert(2) },
      ]
    )
    #expect(results == ["transactionLost", "constraint", "stored"])
    #expect(try temporary.entries() == [2])
  }

  /// Numbers that the writes of a group take, and stores how many there are by one entry at the end.
  private final class Taken: GroupWrites {
    private var count: Int64 = 0

    static func next(in transaction: WriteTransaction) -> Int64 {
      let taken = transaction.collectedByGroup as? Taken ?? Taken()
      transaction.collectedByGroup = taken
      taken.count += 1
      return taken.count
    }

    func write(in transaction: WriteTransaction) throws(DatabaseError) { try transaction.insert(1000 + count) }
  }

  @Test func `writes once what the writes of a group have collected, with that of a write that fails`() async throws {
    let temporary = try TemporaryDatabase()
    let take: Body = { transaction in try transaction.insert(Taken.next(in: transaction)) }
    let fail: Body = { transaction in
      _ = Taken.next(in: transaction)
      throw BodyError()
    }
    #expect(await group(on: temporary.database, [take, fail, take]) == ["stored", "BodyError", "stored"])
    #expect(try temporary.entries() == [1, 3, 1003])
    // The next group counts from 1 again, and nothing is stored for one whose writes all fail.
    #expect(await group(on: temporary.database, [fail, fail]) == ["BodyError", "BodyError"])
    #expect(await group(on: temporary.database, [fail]) == ["BodyError"])
    #expect(try temporary.entries() == [1, 3, 1003])
  }

  @Test func `stores nothing of a group whose collected writes fail`() async throws {
    let temporary = try TemporaryDatabase()
    try await temporary.insert(1002)
    let take: Body = { transaction in try transaction.insert(Taken.next(in: transaction)) }
    #expect(await group(on: temporary.database, [take, take]) == ["unique", "unique"])
    #expect(try temporary.entries() == [1002])
    #expect(await group(on: temporary.database, [take]) == ["stored"])
    #expect(try temporary.entries() == [1, 1001, 1002])
  }

  @Test func `has no space for one of a group, and keeps the others`() async throws {
    let temporary = try TemporaryDatabase()
    try await temporary.database.write { try $0.statement(StatementText("PRAGMA max_page_count = 20")).run() }
    let fill = StatementText("INSERT INTO entry(id, filling) VALUES (100, zeroblob(1000000))")
    let results = await group(
      on: temporary.database,
      [{ try $0.insert(1) }, { try $0.statement(fill).run() }, { try $0.insert(3) }]
    )
    #expect(results == ["stored", "full", "stored"])
    #expect(try temporary.entries() == [1, 3])
    #expect(try Database.integrityCheck(of: temporary.path).isEmpty)
  }

  /// An operator may change the file with a program of theirs.
  @Test func `leaves nothing of a write that was rolled back among the commits of another process`() async throws {
    var limits = DatabaseLimits()
    limits.writerCacheKibibytes = 40
    // The log is copied after each commit, and the next one begins it again.
    limits.checkpointPages = 1
    let temporary = try TemporaryDatabase(limits: limits)
    try await temporary.insert(1)
    let other = try Database(path: temporary.path, migrations: TemporaryDatabase.migrations, limits: limits)
    let fill = StatementText("INSERT INTO entry(filling) VALUES (randomblob(200000))")
    await #expect(throws: BodyError.self) {
      try await temporary.database.write { transaction in
        try transaction.statement(fill).run()
        throw BodyError()
      }
    }
    try await other.write { try $0.statement(fill).run() }
    try await temporary.insert(3)
    #expect(try temporary.entries() == [1, 2, 3])
    #expect(try Database.integrityCheck(of: temporary.path) == [])
  }

  @Test func `gives up when another process holds the lock for too long`() async throws {
    let temporary = try TemporaryDatabase()
    var limits = DatabaseLimits()
    limits.busyTimeout = .milliseconds(20)
    let other = try Database(path: temporary.path, migrations: TemporaryDatabase.migrations, limits: limits)
    let hold = await Hold(temporary.database)
    let results = await withTaskGroup { group in
      for id in 1...3 as ClosedRange<Int64> {
        group.addTask {
          do {
            try await other.write { try $0.insert(id) }
            return "stored"
          } catch { return (error as? DatabaseError)?.code.rawValue ?? "\(error)" }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == ["busy", "busy", "busy"])
    hold.release()
    try await temporary.insert(4)
    #expect(try temporary.entries() == [4])
  }

  @Test func `runs afterCommit actions before the callers are resumed, in order`() async throws {
    let temporary = try TemporaryDatabase()
    let path = temporary.path
    let log = Recorder()
    let results = await group(
      on: temporary.database,
      (0..<8).map { n -> Body in
        { transaction in
          transaction.afterCommit {
            log.append(n)
            // Committed: another connection sees all of the group.
            #expect((try? Database.reader(of: path).entries().count) == 7)
          }
          try transaction.insert(Int64(n))
          if n == 4 { throw BodyError() }
        }
      }
    )
    #expect(results.count == 8)
    #expect(log.values == [0, 1, 2, 3, 5, 6, 7])
  }

  @Test func `rejects a write immediately when the queue is full`() async throws {
    var limits = DatabaseLimits()
    limits.queuedWrites = 2
    let temporary = try TemporaryDatabase(limits: limits)
    let database = temporary.database
    let hold = await Hold(database)
    let waiting = (0..<2).map { n in Task.immediate { try await database.write { try $0.insert(Int64(n)) } } }
    await #expect(throws: DatabaseError(.overloaded, message: "The queue of writes is full: 2 writes are waiting.")) {
      try await temporary.insert(3)
    }
    hold.release()
    for task in waiting { try await task.value }
    #expect(try temporary.entries() == [0, 1])
  }

  @Test func `closes after the queued writes, with everything in one file`() async throws {
    let temporary = try TemporaryDatabase()
    let database = temporary.database
    let hold = await Hold(database)
    let waiting = (0..<600).map { n in Task.immediate { try await database.write { try $0.insert(Int64(n)) } } }
    let closing = Task.immediate { await database.close() }
    await #expect(throws: DatabaseError(.closed, message: "The database is closed.")) {
      try await temporary.insert(999)
    }
    hold.release()
    await closing.value
    for task in waiting { try await task.value }
    await database.close()
    #expect(!FileManager.default.fileExists(atPath: temporary.path + "-wal"))
    #expect(try temporary.entries() == Array(0..<600))
  }

  @Test(.timeLimit(.minutes(1)))
  func `recalls the snapshot of a long read of a request when the log is far beyond its usual size`() async throws {
    var limits = DatabaseLimits()
    limits.checkpointPages = 20
    limits.readSteps = .max
    // The writer waits for the reader's thread, however busy the machine is.
    limits.checkpointTimeout = .seconds(50)
    let temporary = try TemporaryDatabase(limits: limits)
    let path = temporary.path
    let database = temporary.database
    let hasSnapshot = Gate()
    let allWritten = DispatchSemaphore(value: 0)
    let reading = TestThread {
      let reader = try database.makeRequestReader()
      _ = try reader.entries()
      hasSnapshot.open()
      let error = #expect(throws: DatabaseError.self) { try reader.statement(.endless).run() }
      #expect(error?.code == .budgetExceeded && reader.isRecalled && !reader.isExhausted)
      reader.endRead()
      allWritten.wait()
      // The next transaction is not recalled.
      #expect(try reader.entries().count == 400 && !reader.isRecalled)
      reader.endRead()
    }
    await hasSnapshot.pass()
    do {
      defer { allWritten.signal() }
      for id in 0..<400 as Range<Int64> { try await temporary.insert(id) }
    }
    try await reading.value
    // A connection that is opened later is not recalled before its first transaction.
    #expect(try database.makeRequestReader().entries().count == 400)
    // The first recall succeeds, when the log has more than eight times 20 pages.
    let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(try #require(size) < 200 * 4_152)
  }

  @Test func `copies the log into the file as it grows`() async throws {
    var limits = DatabaseLimits()
    limits.checkpointPages = 20
    let temporary = try TemporaryDatabase(limits: limits)
    let reader = try temporary.database.makeReader()
    for id in 0..<1_000 as Range<Int64> {
      try await temporary.insert(id)
      if id % 100 == 0 { _ = try reader.entries() }
      if id % 100 == 50 { reader.endRead() }
    }
    let size = try FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")[.size] as? Int
    #expect(try #require(size) < 300 * 4_152)
    #expect(try temporary.entries().count == 1_000)
  }
}
