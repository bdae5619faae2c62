import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Two processes are two `RateLimits` over one database.
@Suite(
  "Rate limits of several processes",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLSharedRateLimitTests {
  private static let now: Int64 = 1_795_248_000_000

  private func withProcesses(
    _ body: (_ one: RateLimits, _ other: RateLimits, Database, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let database = server.services.database
      let rates = try #require(database.sharedRates)
      let limits = (0..<2).map { _ in RateLimits(SharedRateLimits(rates, key: [1, 2, 3])) }
      try await body(limits[0], limits[1], database, server)
    }
  }

  @Test func `they share the tokens of a caller`() async throws {
    try await withProcesses { one, other, _, _ in
      let action = LimitedAction.newPassword
      let own = try #require(action.limits.subject)
      let caller = RateLimits.Caller(subject: .account("ada"))
      for number in 0..<own.burst {
        let limits = number.isMultiple(of: 2) ? one : other
        #expect(await limits.takeShared(action, by: caller, at: Self.now) == nil)
      }
      for limits in [one, other] {
        #expect(await limits.takeShared(action, by: caller, at: Self.now) == own.interval)
      }
      // Others have their own.
      #expect(await one.takeShared(action, by: .init(subject: .account("bob")), at: Self.now) == nil)
      // One token for both after the interval.
      let later = Self.now + own.interval
      let waits = [
        await other.takeShared(action, by: caller, at: later), await one.takeShared(action, by: caller, at: later),
      ]
      #expect(waits[0] == nil && waits[1] != nil, "\(waits)")
    }
  }

  @Test func `a process whose clock is far ahead takes nothing from the others`() async throws {
    try await withProcesses { _, _, database, _ in
      let rates = try #require(database.sharedRates)
      let charge = SharedRates.Charge(name: [1], cost: 1000, capacity: 3000)
      for _ in 0..<3 { #expect(try await rates.take([charge], at: Self.now + 7_200_000) == nil) }
      // The clocks of processes differ by some seconds: then the budget is still empty.
      #expect(try await rates.take([charge], at: Self.now + 7_195_000) == 1000)
      for _ in 0..<3 { #expect(try await rates.take([charge], at: Self.now) == nil) }
      #expect(try await rates.take([charge], at: Self.now) == 1000)
    }
  }

  @Test func `all budgets are charged, or none`() async throws {
    try await withProcesses { one, other, _, _ in
      let action = LimitedAction.verificationMail
      let network = ClientNetwork("192.0.2.1")
      let own = try #require(action.limits.subject)
      let all = try #require(action.limits.network)
      let ada = RateLimits.Caller(network: network, subject: .mailbox("ada@example.com"))
      for _ in 0..<own.burst { #expect(await one.takeShared(action, by: ada, at: Self.now) == nil) }
      // The other process rejects her, and the network's budget stays as it is.
      for _ in 0..<own.burst { #expect(await other.takeShared(action, by: ada, at: Self.now) == own.interval) }
      for number in own.burst..<all.burst {
        let next = RateLimits.Caller(network: network, subject: .mailbox("\(number)@example.com"))
        #expect(await one.takeShared(action, by: next, at: Self.now) == nil, "\(number)")
      }
      let last = RateLimits.Caller(network: network, subject: .mailbox("last@example.com"))
      #expect(await other.takeShared(action, by: last, at: Self.now) == all.interval)
    }
  }

  @Test func `what is returned at one is available at the other`() async throws {
    try await withProcesses { one, other, _, _ in
      let action = LimitedAction.wrongPassword
      let caller = RateLimits.Caller(network: ClientNetwork("192.0.2.1"), subject: .account("ada"))
      let burst = try #require(action.limits.pair).burst
      for _ in 0..<3 * burst {
        #expect(await one.takeShared(action, by: caller, at: Self.now) == nil)
        await one.giveBackShared(action, by: caller, at: Self.now)
      }
      for _ in 0..<burst { #expect(await other.takeShared(action, by: caller, at: Self.now) == nil) }
      #expect(await other.takeShared(action, by: caller, at: Self.now) != nil)
    }
  }

  @Test func `callers who compete at both get no more than the limit`() async throws {
    try await withProcesses { one, other, _, _ in
      let action = LimitedAction.newPassword
      let burst = try #require(action.limits.subject).burst
      let caller = RateLimits.Caller(subject: .account("ada"))
      let admitted = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          let limits = number.isMultiple(of: 2) ? one : other
          group.addTask { await limits.takeShared(action, by: caller, at: Self.now) == nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(admitted == burst)
    }
  }

  @Test func `a write that is rolled back consumes nothing of either`() async throws {
    struct RolledBack: Error {}
    try await withProcesses { one, other, database, _ in
      let action = LimitedAction.ask
      let burst = try #require(action.limits.subject).burst
      let (ada, bob) = (GlobalID(.person, number: 1), GlobalID(.person, number: 2))
      func ask(_ limits: RateLimits, isRolledBack: Bool) async throws {
        try await database.write { transaction in
          try limits.takeRequest(from: ada, to: bob, in: DatedWrite(at: Timestamp(Self.now), in: transaction))
          if isRolledBack { throw RolledBack() }
        }
      }
      for _ in 0...burst {
        await #expect(throws: RolledBack.self) { try await ask(one, isRolledBack: true) }
      }
      for number in 0..<burst { try await ask(number.isMultiple(of: 2) ? one : other, isRolledBack: false) }
      for limits in [one, other] {
        await #expect(throws: (any Error).self) { try await ask(limits, isRolledBack: false) }
      }
    }
  }

  @Test func `without the table the memory decides`() async throws {
    try await withProcesses { one, other, _, server in
      let name = try await ServerDatabases.name(forFolder: server.directory.path)
      try await PostgreSQLCluster.shared().execute("DROP TABLE rate_limit", in: name)
      let action = LimitedAction.newPassword
      let own = try #require(action.limits.subject)
      let caller = RateLimits.Caller(subject: .account("ada"))
      for limits in [one, other] {
        for _ in 0..<own.burst { #expect(await limits.takeShared(action, by: caller, at: Self.now) == nil) }
        #expect(await limits.takeShared(action, by: caller, at: Self.now) == own.interval)
      }
    }
  }

  @Test func `a flood at one process does not reach the database`() async throws {
    try await withProcesses { one, other, database, _ in
      let action = LimitedAction.newPassword
      let caller = RateLimits.Caller(subject: .account("ada"))
      for _ in 0..<50 { _ = await one.takeShared(action, by: caller, at: Self.now) }
      for _ in 0..<50 { _ = await other.takeShared(action, by: caller, at: Self.now) }
      let before = database.postgreSQLStatistics.writeRoundTrips
      for _ in 0..<1_000 { #expect(await other.takeShared(action, by: caller, at: Self.now) != nil) }
      // The heartbeat of the server goes on.
      #expect(database.postgreSQLStatistics.writeRoundTrips - before < 100)
    }
  }

  @Test func `the table has no names, and full budgets are removed`() async throws {
    try await withProcesses { one, _, database, server in
      let caller = RateLimits.Caller(network: ClientNetwork("192.0.2.1"), subject: .account("ada"))
      #expect(await one.takeShared(.newPassword, by: caller, at: Self.now) == nil)
      let lengths = "SELECT min(length(name)), max(length(name)), count(*) FROM rate_limit"
      #expect(try server.rows(lengths, columns: 3) == [[16, 16, 3]])
      try await database.sharedRates?.sweep(before: Self.now)
      #expect(try server.rows("SELECT count(*) FROM rate_limit", columns: 1) == [[3]])
      try await database.sharedRates?.sweep(before: Self.now + 86_400_000)
      #expect(try server.rows("SELECT count(*) FROM rate_limit", columns: 1) == [[0]])
    }
  }
}
