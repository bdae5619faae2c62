import Basics
import EventLoop
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("A connection on an event loop", .needsPostgreSQL)
struct LoopConnectionTests {
  /// Runs a test on the thread of a loop, with a connection that the loop watches.
  private func onLoop<Result: Sendable>(
    _ options: ConnectionOptions? = nil,
    _ body: @escaping @Sendable (LoopConnection, EventLoop) async throws -> Result
  ) async throws -> Result {
    let options = if let options { options } else { try await TestDatabase().options }
    let opened = try await TestThread { Passed(try Connector(options).connect()) }.value
    let loop = try EventLoop()
    defer { loop.stop() }
    return try await Task(executorPreference: loop) {
      let connection = try LoopConnection(opened.pipeline, on: loop)
      defer { connection.close() }
      return try await body(connection, loop)
    }.value
  }

  // `@unchecked Sendable`: it is passed from the thread that opened it to the loop.
  private struct Passed: @unchecked Sendable {
    let pipeline: PipelineConnection

    init(_ pipeline: PipelineConnection) { self.pipeline = pipeline }
  }

  private static func batch(_ number: Int64) -> Batch {
    let batch = Batch()
    batch.append(ServerStatement("SELECT $1 + 1", types: [.int8], slot: 0), ParameterBuffer(number))
    return batch
  }

  @Test func `batches of concurrent tasks share the pipeline, and the loop does other work meanwhile`() async throws {
    let sum = try await onLoop { connection, loop in
      let slow = Batch()
      slow.append("SELECT pg_sleep(0.05)")
      connection.send(slow)
      // The loop's own jobs run before the server answers.
      #expect(connection.isBusy)
      await Task.yield()
      #expect(connection.isBusy)
      var sum: Int64 = 0
      for number: Int64 in 0..<100 {
        // Two at a time: the second is submitted before the first is answered.
        let (first, second) = (Self.batch(number), Self.batch(1000 * number))
        connection.send(first)
        sum += try await connection.run(second)[0].int64(0, 0)
        sum += first.results[0].int64(0, 0)
      }
      return sum
    }
    #expect(sum == (0..<100).reduce(0) { $0 + $1 + 1 + 1000 * $1 + 1 })
  }

  @Test func `a long parameter does not block the loop`() async throws {
    // The server waits for the loop, which other tests can delay.
    var options = try await TestDatabase().options
    options.statementTimeout = .seconds(300)
    let count = try await onLoop(options) { connection, _ in
      let parameters = ParameterBuffer(String(repeating: "x", count: 20_000_000))
      let batch = Batch()
      batch.append(ServerStatement("SELECT length($1)", types: [.text]), parameters)
      return try await connection.run(batch)[0].int64(0, 0)
    }
    #expect(count == 20_000_000)
  }

  @Test func `a task that is cancelled leaves the connection usable`() async throws {
    let number = try await onLoop { connection, loop in
      nonisolated(unsafe) let connection = connection
      let task = Task(executorPreference: loop) {
        let batch = Batch()
        batch.append("SELECT pg_sleep(0.02)")
        return try await connection.run(batch).count
      }
      await Task.yield()
      task.cancel()
      let number = try await connection.run(Self.batch(41))[0].int64(0, 0)
      _ = try await task.value
      return number
    }
    #expect(number == 42)
  }

  @Test func `closing fails what is running`() async throws {
    let code = try await onLoop { connection, loop in
      let batch = Batch()
      batch.append("SELECT pg_sleep(60)")
      connection.send(batch)
      connection.close()
      #expect(loop.openHandleCount == 1)
      #expect(await error { try await connection.run(Self.batch(1)) }?.code == .closed)
      return batch.failure?.code
    }
    #expect(code == .closed)
  }

  @Test func `an idle connection notices that the server process is gone`() async throws {
    let database = try await TestDatabase()
    let isLost = try await onLoop(database.options) { connection, loop in
      #expect(connection.failure == nil)
      try await database.terminate(connection.backendID)
      try await until { connection.failure != nil }
      return connection.failure?.isFatal == true
    }
    #expect(isLost)
  }

  @Test func `a killed server process fails the batches that are running`() async throws {
    let database = try await TestDatabase()
    let codes = try await onLoop(database.options) { connection, loop in
      let batches = (0..<3).map { _ in Batch() }
      for batch in batches {
        batch.append("SELECT pg_sleep(60)")
        connection.send(batch)
      }
      try await database.terminate(connection.backendID)
      try await until { batches.allSatisfy(\.isDone) }
      return batches.map { $0.failure?.code }
    }
    #expect(codes == [.connectionLost, .connectionLost, .connectionLost])
  }
}

/// Returns when the condition holds, or throws: a connection whose end is not noticed would keep the loop busy.
private func until(
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(20)
  while !condition() {
    try #require(ContinuousClock.now < end, "The condition does not come true.")
    await Task.yield()
  }
}

extension LoopConnection {
  /// Sends a batch and suspends the caller until its outcome is known.
  fileprivate func run(_ batch: Batch) async throws(PostgreSQLError) -> [ResultRows] {
    await withCheckedContinuation { caller in ask(batch) { caller.resume() } }
    if let failure = batch.failure { throw failure }
    return batch.results
  }
}
