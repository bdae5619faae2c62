import Logging
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Two processes are two heartbeats over one database.
@Suite(
  "Leases of timed work",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLLeaseTests {
  private static let soon = SQL<Void>("SELECT due_at FROM due_work WHERE name = 'test'")

  /// A process with one work, and the due times that it receives.
  private struct TestProcess: Sendable {
    let leases = Leases(areShared: true)
    let heartbeat: Heartbeat
    let notices = Watched<[Int64]>([])

    init(
      _ database: Database,
      schemaVersion: Int = 30,
      clock: Clock = .system,
      log: Logger = TestServer.silentLog
    ) throws {
      let table = try #require(database.processTable)
      heartbeat = Heartbeat(
        table,
        version: "1.2.3",
        schemaVersion: schemaVersion,
        leases: leases,
        clock: clock,
        log: log
      )
      // Only the heartbeat's task adds to them.
      leases.add(
        Leases.Work(name: "work", dueTimes: [PostgreSQLLeaseTests.soon]) { [notices] dueAt in
          notices.set(notices.value + [dueAt])
        }
      )
    }

    var holds: Bool { leases.holds("work") }
  }

  private static func add(_ dueAt: Int64, to database: Database) async throws {
    try await database.write { transaction in
      try transaction.run(DueWork.schedule, DueWork(name: "test", dueAt: Timestamp(dueAt)))
    }
  }

  private func run(_ body: (TestServer, Database) async throws -> Void) async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      try await body(server, server.services.database)
    }
  }

  @Test func `another process takes over within seconds of a kill, and not before`() async throws {
    try await run { _, database in
      let (first, second) = (try TestProcess(database), try TestProcess(database))
      try await Self.add(1_795_000_000_123, to: database)
      await first.heartbeat.start()
      await second.heartbeat.start()
      #expect(first.holds && !second.holds)
      #expect(first.notices.value == [0] && second.notices.value == [])
      // Longer than a lease: it is renewed.
      await first.notices.wait { $0.count > 4 }
      #expect(first.holds && !second.holds)
      await first.heartbeat.abandon()
      let beginning = ContinuousClock.now
      #expect(!first.holds && !second.holds)
      await second.notices.wait { $0.first == 0 }
      let time = ContinuousClock.now - beginning
      // A busy machine needs longer than four seconds.
      #expect(second.holds && time > .seconds(1) && time < .seconds(20), "\(time)")
      await second.heartbeat.stop()
    }
  }

  @Test func `a process that ends in order is followed at once`() async throws {
    try await run { _, database in
      let (first, second) = (try TestProcess(database), try TestProcess(database))
      await first.heartbeat.start()
      await second.heartbeat.start()
      await first.heartbeat.stop()
      #expect(!first.holds)
      #expect(try await second.heartbeat.entries().map(\.member.id).contains(first.heartbeat.id) == false)
      let third = try TestProcess(database)
      await third.heartbeat.start()
      #expect(third.holds != second.holds)
      await third.heartbeat.stop()
      await second.heartbeat.stop()
    }
  }

  @Test func `the holder learns what another process has added`() async throws {
    try await run { server, database in
      let process = try TestProcess(database)
      await process.heartbeat.start()
      try await Self.add(1_795_000_000_123, to: database)
      await process.notices.wait { $0.contains(1_795_000_000_123) }
      await process.heartbeat.stop()
    }
  }

  @Test func `the processes with their versions and leases are listed`() async throws {
    try await run { server, database in
      let process = try TestProcess(database)
      await process.heartbeat.start()
      let entries = try await process.heartbeat.entries()
      #expect(entries.count == 2)
      let (other, own) = (try #require(entries.first), try #require(entries.last))
      #expect(own.member.id == process.heartbeat.id && own.member.version == "1.2.3" && own.leases == ["work"])
      #expect(other.member.version == HearthVersion.current && other.member.schemaVersion == Migration.all.count)
      #expect(other.leases.contains("reminders") && other.leases.contains("mail") && other.leases.contains("sweep"))
      #expect(process.heartbeat.processCount == 2)
      await process.heartbeat.stop()
    }
  }

  @Test func `a clock that differs from the database's is reported, and rejects requests when it is far off`()
    async throws
  {
    try await run { _, database in
      for (ahead, reason) in [
        (Int64(300), nil), (5_000, nil), (40_000, "the clock differs from that of the database server"),
        (-40_000, "the clock differs from that of the database server"),
      ] {
        let log = RecordedLog()
        let clock = Clock({ Clock.system.now() + ahead }, isOfSystem: true) { _, _ in }
        let process = try TestProcess(database, clock: clock, log: log.logger)
        await process.heartbeat.start()
        #expect(process.heartbeat.reason == reason, "\(ahead)")
        #expect(process.holds == (reason == nil), "\(ahead)")
        #expect(log.messages.contains { $0.contains("The clock differs") } == (abs(ahead) > 1_000), "\(ahead)")
        #expect(abs(process.heartbeat.clockDifference - ahead) < 1_000)
        await process.heartbeat.stop()
      }
    }
  }

  @Test func `a server without its database holds no lease for long, and is not ready`() async throws {
    try await run { _, database in
      let process = try TestProcess(database)
      await process.heartbeat.start()
      #expect(process.holds && process.heartbeat.reason == nil)
      await database.close()
      await process.heartbeat.abandon()
      #expect(!process.holds)
    }
  }

  @Test func `idle processes ask the database once a second each`() async throws {
    try await run { server, database in
      let process = try TestProcess(database)
      try await Self.add(1_795_000_000_123, to: database)
      await process.heartbeat.start()
      var rounds: [(trips: Int, seconds: Int)] = []
      // The server and the other process. At first the server deletes what has expired.
      repeat {
        let (before, beginning) = (database.postgreSQLStatistics, ContinuousClock.now)
        let count = process.notices.value.count
        await process.notices.wait { $0.count >= count + 5 }
        let after = database.postgreSQLStatistics
        let trips = after.writeRoundTrips + after.readRoundTrips - before.writeRoundTrips - before.readRoundTrips
        rounds.append((trips, Int((ContinuousClock.now - beginning).components.seconds)))
      } while rounds.last.map { $0.trips > 2 * $0.seconds + 4 } == true && rounds.count < 4
      let last = try #require(rounds.last)
      #expect(last.trips >= 5 && last.trips <= 2 * last.seconds + 4, "\(rounds)")
      await process.heartbeat.stop()
    }
  }

  @Test func `one process has all leases of a SQLite file`() {
    let leases = Leases()
    leases.add(Leases.Work(name: "work", dueTimes: []) { _ in })
    #expect(leases.holds("work") && leases.names == ["work"])
  }
}
