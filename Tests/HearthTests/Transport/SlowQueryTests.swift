import Foundation
import Glibc
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Queries that take longer than an event loop allows. The limits are small here, so that some hundred chores are many.
@Suite("Slow queries", .timeLimit(.minutes(10)))
struct SlowQueryTests {
  /// PostgreSQL's is `PostgreSQLSlowQueryTests`.
  private static let databases = [TestDatabase.sqlite, .deferred]

  @Test(arguments: databases)
  func `do not block the other clients of their loop`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).doNotBlockOthers()
  }

  @Test(arguments: databases)
  func `have the same caller's next query start off the loop while they still wait`(
    database: TestDatabase
  ) async throws {
    try await SlowQueries(database: database).haveTheNextStartOffTheLoop()
  }

  @Test(arguments: databases)
  func `are answered as they would be on the loop`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).areAnsweredAlike()
  }

  @Test(arguments: databases)
  func `of one caller are bounded, and leave room for others'`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).areBounded()
  }

  @Test(arguments: databases)
  func `that fill their queue lose no event: the subscription ends before it`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).loseNoEvent()
  }

  @Test(arguments: databases)
  func `show nothing to a caller whose session has ended while they waited`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).showNothingAfterSignOut()
  }

  @Test(arguments: databases)
  func `that only write leave the next query of their loop on it`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).leaveTheNextOnTheLoop()
  }

  @Test(arguments: databases)
  func `do not run after their client has left`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).areDropped()
  }

  @Test(arguments: databases, [1_000, 5_000_000])
  func `past the read limit are the client's to change, and no failure of the server`(
    database: TestDatabase,
    loopSteps: Int
  ) async throws {
    try await SlowQueries(database: database).areRejectedPastTheLimit(loopSteps: loopSteps)
  }

  @Test(arguments: databases)
  func `are stopped when the write-ahead log cannot be emptied before they end`(database: TestDatabase) async throws {
    try await SlowQueries(database: database).areStoppedForTheLog()
  }

  @Test func `run on a thread that leaves the processor to a loop that wakes`() async throws {
    try await TestServer.run(loops: 1) { server in
      let policy = Atomic<Int32>(SCHED_OTHER)
      try await server.services.slowLane.run(for: .unknown) { _ in
        policy.store(sched_getscheduler(0), ordering: .relaxed)
      }
      let idle: Int32 = 5
      #expect(policy.load(ordering: .relaxed) == idle)
    }
  }

  /// PostgreSQL searches in its own process.
  @Test(arguments: databases)
  func `are searches too, whose time SQLite does not count in steps`(database: TestDatabase) async throws {
    let directory = try TemporaryDirectory()
    try await SeededPeople.add(1_000, to: directory)
    try await TestServer.run(in: directory, database: database, configure: { $0.databaseLimits.loopTurn.steps = 50 }) {
      server in
      let input = A02SignInTests.input("person1@example.com", BenchmarkData.password)
      let token = try await server.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      let client = server.visitor.with(token: token)
      var slow: Task<Value, any Error>?
      try await SlowQueries.holdingLane(of: server) {
        let searching = client.another
        slow = Task { try await searching.ask(Documents.search, ["query": "high", "first": 50]) }
        while server.services.slowLane.waitingCount == 0 { await Task.yield() }
      }
      let answer = try await slow?.value
      #expect(answer?["data.search.nodes"].list.count == 50)
    }
  }
}

/// The same with PostgreSQL, whose answers a loop has to read.
@Suite("Slow queries on PostgreSQL", .timeLimit(.minutes(10)))
struct PostgreSQLSlowQueryTests {
  private let queries = SlowQueries(database: .postgresql)

  @Test func `do not block the other clients of their loop`() async throws { try await queries.doNotBlockOthers() }

  @Test func `have the same caller's next query start off the loop while they still wait`() async throws {
    try await queries.haveTheNextStartOffTheLoop()
  }

  @Test func `are answered as they would be on the loop`() async throws { try await queries.areAnsweredAlike() }

  @Test func `of one caller are bounded, and leave room for others'`() async throws { try await queries.areBounded() }

  @Test func `that fill their queue lose no event: the subscription ends before it`() async throws {
    try await queries.loseNoEvent()
  }

  @Test func `show nothing to a caller whose session has ended while they waited`() async throws {
    try await queries.showNothingAfterSignOut()
  }

  @Test func `that only write leave the next query of their loop on it`() async throws {
    try await queries.leaveTheNextOnTheLoop()
  }

  @Test func `do not run after their client has left`() async throws { try await queries.areDropped() }

  @Test(arguments: [1_000, 5_000_000])
  func `past the read limit are the client's to change, and no failure of the server`(loopSteps: Int) async throws {
    try await queries.areRejectedPastTheLimit(loopSteps: loopSteps)
  }
}
