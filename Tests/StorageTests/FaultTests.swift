import Basics
import Foundation
import Storage
import StorageFaults
import TestSupport
import Testing

/// The properties of storage on a faulty file system: many histories, each generated from its seed. The faulty layer
/// is `Tests/StorageFaults`, of which a process has one, so that one history runs at a time.
///
/// `HEARTH_FAULT_SEEDS=10000 swift test --filter FaultTests` runs more of them.
@Suite("A disk that fails", .serialized, .timeLimit(.minutes(60)))
struct FaultTests {
  enum Fault: CaseIterable, Sendable {
    case shortWrites, writeErrors, syncErrors, readErrors, truncateErrors, noRoom
  }

  private static let seeds = ProcessInfo.processInfo.environment["HEARTH_FAULT_SEEDS"].flatMap(Int.init) ?? 40

  @Test(arguments: Fault.allCases)
  func `acknowledged writes are stored, others are not, and it recovers after the fault`(fault: Fault) async throws {
    var injected: Int64 = 0
    var failures = 0
    for seed in 0..<Self.seeds {
      let history = try History(seed: UInt64(seed))
      try await history.write(batches: 4)
      #expect(history.failed.isEmpty)
      history.arm(fault)
      try await history.write(batches: 12, readsFail: fault == .readErrors)
      injected += faults_injected()
      failures += history.failed.count
      faults_clear()
      // Readiness checks repeat this write until one is stored.
      try await history.database.probeWrite()
      #expect(history.database.writeFailure == nil)
      let failed = history.failed
      try await history.write(batches: 3)
      #expect(history.failed == failed, "seed \(seed)")
      await history.close()
      try history.examine(exactly: true)
    }
    #expect(injected > 0 && failures > 0)
  }

  @Test(arguments: [nil, .syncErrors, .writeErrors, .noRoom] as [Fault?])
  func `acknowledged writes survive a power failure, whichever other sectors were written`(
    fault: Fault?
  ) async throws {
    for seed in 0..<Self.seeds {
      let history = try History(seed: UInt64(seed) &+ 1_000_000)
      try await history.write(batches: 4)
      if let fault { history.arm(fault) }
      try await history.write(batches: 10)
      try await history.write(batches: 4, failingPower: true)
      await history.close()
      try history.examine(exactly: false)
    }
  }

  /// The disk loses all writes after the last real sync. A disk that also keeps an arbitrary part of them can destroy
  /// any database, because it breaks the order of the log and the file.
  @Test func `a disk that ignores fsync loses recent writes, and the database stays sound`() async throws {
    var lost = 0
    for seed in 0..<Self.seeds {
      let history = try History(seed: UInt64(seed) &+ 2_000_000)
      try await history.write(batches: 4)
      let honest = history.acknowledged
      faults_lie_from_sync(0)
      try await history.write(batches: 8)
      #expect(faults_injected() > 0 && history.failed.isEmpty)
      let all = history.acknowledged
      try await history.write(batches: 4, failingPower: true)
      await history.close()
      history.acknowledged = honest
      // The record beside the file states what the disk has reported as flushed.
      try history.examine(exactly: false, acceptingLostLog: true)
      lost += try all.subtracting(history.stored()).count
    }
    // Otherwise the disk did honour fsync.
    #expect(lost > 0)
  }

  @Test func `the pages of a commit are written to the log in large pieces`() async throws {
    try #require(faults_register() == 0)
    faults_reset(0)
    let directory = try TemporaryDirectory()
    var opening = DatabaseOpening()
    opening.fileSystem = "faults"
    let database = try Database(
      path: directory.path + "/test.db",
      migrations: TemporaryDatabase.migrations,
      opening: opening
    )
    try await database.write { transaction in try transaction.insert(1) }
    let before = faults_count(FAULT_WRITE)
    // Seventy-five pages: SQLite writes each in two calls.
    try await database.write { transaction in try transaction.insert(2, filling: 300_000) }
    #expect(faults_count(FAULT_WRITE) - before == 3)
    await database.close()
  }

  @Test func `a log that cannot be copied into the file is reported once, and so is the end of it`() async throws {
    let history = try History(seed: 2)
    try await history.write(batches: 3)
    faults_fail(FAULT_DATABASE_WRITE, 0, 1_000_000, 10 | 3 << 8)
    // Several checkpoints, which follow the answers: the last one may not have run yet.
    try await history.write(batches: 30)
    #expect(faults_injected() > 1)
    #expect(history.failed.isEmpty && history.database.writeFailure == nil)
    let reports = history.reports.values
    #expect(reports.count == 1)
    #expect(reports.first?.hasPrefix("The write-ahead log cannot be copied into the database, and grows:") == true)
    faults_clear()
    try await history.write(batches: 30)
    #expect(history.reports.values.dropFirst() == ["The write-ahead log is copied into the database again."])
    await history.close()
    try history.examine(exactly: true)
  }

  @Test func `a full disk is reported, reads continue, and writes resume when there is space`() async throws {
    let history = try History(seed: 1)
    try await history.write(batches: 3)
    let before = history.acknowledged
    faults_limit_growth(0)
    for id in 9_998...9_999 as ClosedRange<Int64> {
      let error = await #expect(throws: DatabaseError.self) {
        // Longer than the log, so that it has to grow: a short write can find room in a log that restarts.
        try await history.database.write { transaction in try transaction.insert(id, filling: 4_000_000) }
      }
      #expect(error?.code == .full)
      #expect(history.database.writeFailure?.code == .full)
    }
    #expect(try Set(history.reader.entries()) == before)
    history.reader.endRead()
    faults_clear()
    try await history.database.probeWrite()
    #expect(history.database.writeFailure == nil)
    await history.close()
    try history.examine(exactly: true)
  }
}

/// A database on the faulty file system, and the outcome of each write.
private final class History {
  let seed: UInt64
  let database: Database
  private(set) var reader: Reader
  var acknowledged: Set<Int64> = []
  private(set) var failed: Set<Int64> = []
  let reports = Recorded()
  private var generator: SeededGenerator
  private var next: Int64 = 0
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/test.db" }

  init(seed: UInt64) throws {
    try #require(faults_register() == 0)
    faults_reset(seed)
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    directory = try TemporaryDirectory()
    var limits = DatabaseLimits()
    // Small, so that each history has checkpoints, logs that restart and transactions that spill into the log.
    limits.checkpointPages = 12
    limits.writerCacheKibibytes = 40
    var opening = DatabaseOpening()
    opening.fileSystem = "faults"
    opening.report = { [reports] in reports.append($0) }
    database = try Database(
      path: directory.path + "/test.db",
      migrations: TemporaryDatabase.migrations,
      limits: limits,
      opening: opening
    )
    reader = try database.makeReader()
  }

  func arm(_ fault: FaultTests.Fault) {
    let after = Int64.random(in: 0..<12, using: &generator)
    // One call, a few, or all later ones.
    let count: Int64 = ([1, 1, 3, 10, 1_000_000] as [Int64]).randomElement(using: &generator) ?? 1
    let full: Int32 = 13
    let error: Int32 = 10
    switch fault {
    case .shortWrites: faults_fail(FAULT_WRITE, after, count, full)
    case .writeErrors: faults_fail(FAULT_WRITE, after, count, error | 3 << 8)
    case .syncErrors: faults_fail(FAULT_SYNC, after % 4, count, error | 4 << 8)
    case .readErrors: faults_fail(FAULT_READ, after, count, error | 1 << 8)
    case .truncateErrors:
      faults_fail(FAULT_TRUNCATE, 0, count, error | 6 << 8)
      // Logs are truncated only if something else has failed too.
      faults_fail(FAULT_SYNC, after % 4, 1, error | 4 << 8)
    case .noRoom: faults_limit_growth(after * 3_000)
    }
  }

  /// Batches of writes at once, so that they share commits. Reads in between see all that was acknowledged.
  func write(batches: Int, readsFail: Bool = false, failingPower: Bool = false) async throws {
    let powerFails = failingPower ? Int.random(in: 0..<batches, using: &generator) : -1
    for batch in 0..<batches {
      let writes = (0..<Int.random(in: 1...5, using: &generator)).map { _ -> (Int64, Int) in
        next += 1
        return (next, Int.random(in: 0...3, using: &generator) == 0 ? 30_000 : 200)
      }
      let database = database
      let tasks = writes.map { id, filling in
        Task.immediate { () -> DatabaseError? in
          do {
            try await database.write { transaction in
              try transaction.insert(id, filling: filling)
              try transaction.insert(id, into: .insertEcho)
            }
            return nil
          } catch let error as DatabaseError {
            return error
          }
        }
      }
      if batch == powerFails { faults_fail_power() }
      for (task, write) in zip(tasks, writes) {
        guard let error = try await task.value else {
          acknowledged.insert(write.0)
          continue
        }
        #expect([.full, .inputOutput, .transactionLost].contains(error.code), "seed \(seed): \(error)")
        failed.insert(write.0)
      }
      if failingPower { continue }
      do {
        #expect(try Set(reader.entries()) == acknowledged, "seed \(seed)")
      } catch {
        #expect(readsFail, "seed \(seed): \(error)")
      }
      reader.endRead()
    }
  }

  func close() async {
    // Replaces the reading connection, so that only the writer has the file open.
    if let other = try? Database.reader(of: ":memory:") { reader = other }
    await database.close()
  }

  func stored() throws -> Set<Int64> { try Set(Database.reader(of: path).entries()) }

  /// Opens the files without the faulty layer, as the next process does.
  func examine(exactly: Bool, acceptingLostLog: Bool = false) throws {
    var opening = DatabaseOpening()
    opening.acceptsLostLog = acceptingLostLog
    let database = try Database(path: path, migrations: TemporaryDatabase.migrations, opening: opening)
    let reader = try database.makeReader()
    let entries = try Set(reader.entries())
    var echoes: Set<Int64> = []
    try reader.statement(.selectEchoes).forEachRow { row in echoes.insert(row.int64(0)) }
    #expect(entries.isSuperset(of: acknowledged), "seed \(seed): lost \(acknowledged.subtracting(entries).sorted())")
    #expect(entries == echoes, "seed \(seed)")
    if exactly {
      #expect(entries == acknowledged, "seed \(seed): failed, and stored \(entries.subtracting(acknowledged))")
    }
    reader.endRead()
    #expect(try Database.integrityCheck(of: path) == [], "seed \(seed)")
  }
}

extension WriteTransaction {
  fileprivate func insert(_ id: Int64, filling: Int) throws(DatabaseError) {
    let statement = try statement(.insertFilled)
    try statement.bind(id, at: 1)
    try statement.bind(Int64(filling), at: 2)
    try statement.run()
  }
}

extension StatementText {
  fileprivate static let insertFilled = StatementText("INSERT INTO entry(id, filling) VALUES (?1, randomblob(?2))")
  fileprivate static let selectEchoes = StatementText("SELECT entry FROM echo ORDER BY entry")
}
