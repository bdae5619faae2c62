import Basics
import PostgreSQL

/// The connections with which the requests of an event loop read. Confined to the loop. A request has a connection from
/// its first statement to the end of its snapshot; requests wait in turn while none is free.
final class LoopConnections {
  /// A request that waits for a connection.
  private final class Waiter {
    let continuation: CheckedContinuation<Void, Never>
    let since = ContinuousClock.now
    /// Nil if a connection was lost: the request opens another one.
    var connection: LoopConnection?
    var failure: PostgreSQLError?

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
  }

  private static let maximumWaiting = 1_024
  /// Milliseconds between two checks of what takes too long.
  private static let checkInterval: UInt64 = 250

  private let connector: Connector
  private let loop: any DescriptorWatcher
  private let limit: Int
  private let patience: Duration
  private let batchTimeout: Duration
  private let counts: ReadPoolCounts
  private var idle: [LoopConnection] = []
  /// Whether snapshots of idle connections may be open.
  private var hasOpenSnapshots = false
  private var inUse: [LoopConnection] = []
  /// The number of connections that are open or being opened.
  private var count = 0
  private var waiting: [Waiter] = []
  private var isClosed = false
  /// Runs while connections are in use, or requests wait for one.
  private var timer: (any WatcherTimer)?
  private var isTimerRunning = false

  init(_ connector: Connector, on loop: any DescriptorWatcher, limits: DatabaseLimits, counts: ReadPoolCounts) {
    self.counts = counts
    self.connector = connector
    self.loop = loop
    limit = limits.serverConnectionsPerLoop
    patience = .milliseconds(limits.serverPatience)
    batchTimeout = .milliseconds(limits.serverTransactionTime)
    loop.whenTurnsEnd { [weak self] in self?.endSnapshots() }
  }

  /// A connection, which the caller returns by `giveBack`. Throws `overloaded` if none becomes free in time, and
  /// `timedOut` if the server does not answer those who have one.
  func take() async throws(PostgreSQLError) -> LoopConnection {
    let connection = try await next()
    inUse.append(connection)
    counts.change(used: 1)
    startTimer()
    return connection
  }

  private func next() async throws(PostgreSQLError) -> LoopConnection {
    while true {
      guard !isClosed else { throw PostgreSQLError(.closed, message: "The database is closed.") }
      if let connection = idle.popLast() {
        counts.change(idle: -1)
        if connection.failure == nil { return connection }
        // The server has closed it.
        count -= 1
        continue
      }
      if count < limit { return try await open() }
      guard waiting.count < Self.maximumWaiting else {
        counts.reject()
        throw PostgreSQLError(.overloaded, message: "\(Self.maximumWaiting) requests wait for a connection already.")
      }
      var own: Waiter?
      startTimer()
      await withCheckedContinuation { continuation in
        let waiter = Waiter(continuation)
        own = waiter
        waiting.append(waiter)
        counts.change(waiting: 1)
      }
      counts.change(waiting: -1)
      if let failure = own?.failure { throw failure }
      if let connection = own?.connection, connection.failure == nil { return connection }
      if own?.connection != nil { count -= 1 }
    }
  }

  private func open() async throws(PostgreSQLError) -> LoopConnection {
    count += 1
    do {
      let pipeline = try await openElsewhere().pipeline
      // Closed meanwhile: the loop can have ended, and must not be asked to watch the socket.
      guard !isClosed else { throw PostgreSQLError(.closed, message: "The database is closed.") }
      return try LoopConnection(pipeline, on: loop)
    } catch {
      count -= 1
      let failure = error as? PostgreSQLError ?? PostgreSQLError(.connecting, message: "\(error)")
      if count == 0 { failWaiting { _ in failure } } else { resumeNext(with: nil) }
      throw failure
    }
  }

  /// `@unchecked Sendable`: the thread that opens a connection does not use it afterwards.
  private struct Opened: @unchecked Sendable {
    let pipeline: PipelineConnection
  }

  /// Opens a connection on a thread of its own, because looking up names and TLS block.
  private func openElsewhere() async throws -> Opened {
    let connector = connector
    return try await withCheckedThrowingContinuation { caller in
      do {
        try SystemThread(name: "connector") {
          caller.resume(with: Result { Opened(pipeline: try connector.connect()) })
        }.detach()
      } catch {
        caller.resume(throwing: error)
      }
    }
  }

  /// The next request ends the snapshot of the last one together with its first statements, if it takes the connection
  /// in the same turn of the loop. A batch of its own for COMMIT would wake up both processes once more.
  func giveBack(_ connection: LoopConnection) {
    inUse.removeAll { $0 === connection }
    counts.change(used: -1)
    if connection.failure != nil || isClosed {
      connection.close()
      count -= 1
      resumeNext(with: nil)
    } else if !resumeNext(with: connection) {
      idle.append(connection)
      counts.change(idle: 1)
      hasOpenSnapshots = true
    }
  }

  private func endSnapshots() {
    guard hasOpenSnapshots else { return }
    hasOpenSnapshots = false
    for connection in idle where connection.hasSnapshot {
      connection.hasSnapshot = false
      let batch = Batch()
      batch.append(.commit)
      connection.send(batch)
    }
  }

  @discardableResult
  private func resumeNext(with connection: LoopConnection?) -> Bool {
    guard !waiting.isEmpty else { return false }
    let next = waiting.removeFirst()
    next.connection = connection
    next.continuation.resume()
    return true
  }

  // MARK: What takes too long

  private func startTimer() {
    guard !isTimerRunning, !isClosed else { return }
    let timer = timer ?? loop.makeTimer { [weak self] in self?.check() }
    self.timer = timer
    timer.start(after: Self.checkInterval)
    isTimerRunning = true
  }

  private func check() {
    isTimerRunning = false
    let now = ContinuousClock.now
    for connection in inUse { connection.giveUp(after: batchTimeout, at: now) }
    failWaiting { waiter in
      guard now - waiter.since >= patience else { return nil }
      counts.reject()
      // All connections are in use or being opened.
      let isAnswering = inUse.contains { connection in connection.answeredAt.map { $0 >= waiter.since } ?? false }
      return isAnswering
        ? PostgreSQLError(.overloaded, message: "No connection became free within \(patience).")
        : PostgreSQLError(.timedOut, message: "The database server did not answer within \(patience).")
    }
    if !inUse.isEmpty || !waiting.isEmpty { startTimer() }
  }

  /// Ends the waiting of those for whom `failure` returns an error.
  private func failWaiting(_ failure: (Waiter) -> PostgreSQLError?) {
    let all = waiting
    waiting = []
    for waiter in all {
      waiter.failure = failure(waiter)
      if waiter.failure == nil { waiting.append(waiter) } else { waiter.continuation.resume() }
    }
  }

  // MARK: Closing

  /// Closes the connections that no request uses.
  func closeIdle() {
    for connection in idle { connection.close() }
    count -= idle.count
    counts.change(idle: -idle.count)
    idle = []
  }

  /// Closes the idle connections, and the others when their requests release them.
  func close() {
    isClosed = true
    closeIdle()
    timer?.close()
    timer = nil
    while resumeNext(with: nil) {}
  }
}
