import Basics
import PostgreSQL

/// The connections with which the requests of an event loop read. Confined to the loop. Requests share a connection,
/// and its snapshot, while they are more than the idle connections, and wait in turn while none is idle.
final class LoopConnections {
  /// A request that waits for a connection.
  private struct Waiter {
    let inquiry: Inquiry
    let since: ContinuousClock.Instant
    /// Whether it waits for longer than a turn of the loop.
    var isCounted = false
  }

  private static let maximumWaiting = 1_024
  /// The largest number of requests that share a snapshot. Each waits for the statements of all.
  private static let maximumMembers = 8
  /// Milliseconds between two checks of what takes too long.
  private static let checkInterval: UInt64 = 250
  /// How long no further connection is opened after one could not be, such as with the role's `CONNECTION LIMIT`.
  private static let openingPause = Duration.seconds(1)

  private let connector: Connector
  private let loop: any DescriptorWatcher
  private let limit: Int
  private let connectionTimeout: Duration
  private let batchTimeout: Duration
  private let counts: ReadPoolCounts
  private var idle: [LoopConnection] = []
  /// Whether snapshots of idle connections may be open.
  private var hasOpenSnapshots = false
  private var inUse: [SharedSnapshot] = []
  /// The number of connections that are open or being opened.
  private var count = 0
  /// The end of the pause; nil if the last connection could be opened.
  private var opensAgainAt: ContinuousClock.Instant?
  private var waiting: [Waiter] = []
  private var isClosed = false
  /// Runs while connections are in use, or requests wait for one.
  private var timer: (any WatcherTimer)?
  private var isTimerRunning = false

  init(_ connector: Connector, on loop: any DescriptorWatcher, limits: DatabaseLimits, counts: ReadPoolCounts) {
    self.counts = counts
    self.connector = connector
    self.loop = loop
    limit = limits.postgreSQL.connectionsPerLoop
    connectionTimeout = limits.postgreSQL.connectionTimeout
    batchTimeout = limits.postgreSQL.transactionTime
    loop.whenTurnsEnd { [weak self] in self?.endTurn() }
  }

  /// Sends the statements with which a request begins to read, in a new snapshot, and returns when their outcome is
  /// known. The request then leaves the snapshot when it has read. If no connection becomes idle in time, the outcome
  /// is `failed`: with `overloaded` if the server has answered others meanwhile, and with `timedOut` if it has not.
  ///
  /// - Throws: if the database is closed, if too many requests wait already, and if this request could not open a
  ///   connection and no other is open.
  func answer(_ inquiry: Inquiry) async throws(PostgreSQLError) {
    let since = ContinuousClock.now
    var isFirst = false
    while inquiry.outcome == nil {
      guard !isClosed else { throw .closedDatabase }
      guard waiting.count < Self.maximumWaiting else {
        counts.reject()
        throw PostgreSQLError(.overloaded, message: "\(Self.maximumWaiting) requests wait for a connection already.")
      }
      waiting.insert(Waiter(inquiry: inquiry, since: since), at: isFirst ? 0 : waiting.count)
      await inquiry.wait()
      if inquiry.outcome == nil {
        isFirst = true
        do {
          idle.append(try await open())
          counts.change(idle: 1)
          opensAgainAt = nil
        } catch {
          guard count > 0, !isClosed else { throw error }
          // It waits for one of the others.
          opensAgainAt = ContinuousClock.now + Self.openingPause
        }
      }
    }
  }

  /// Requests that have arrived in the same turn can share a snapshot, and what they ask for a round trip.
  private func endTurn() {
    for snapshot in inUse { snapshot.flush() }
    if !waiting.isEmpty { serveWaiting() }
    if hasOpenSnapshots { endSnapshots() }
  }

  /// The number of connections that can be opened now.
  private var openable: Int {
    // Without a connection, a request must not wait for one.
    if count > 0, let opensAgainAt, ContinuousClock.now < opensAgainAt { return 0 }
    return limit - count
  }

  private func serveWaiting() {
    removeLost()
    let openable = openable
    var served = 0
    while served < waiting.count, let connection = idle.popLast() {
      counts.change(used: 1, idle: -1)
      let left = waiting.count - served
      // Connections that are not open yet will serve some of them.
      let others = idle.count + openable
      let share = min(Self.maximumMembers, (left + others) / (others + 1))
      var members = [waiting[served].inquiry]
      served += 1
      if members[0].isShareable {
        while members.count < share, waiting[served].inquiry.isShareable {
          members.append(waiting[served].inquiry)
          served += 1
        }
      }
      let snapshot = SharedSnapshot(connection) { [unowned self] snapshot in giveBack(snapshot) }
      inUse.append(snapshot)
      snapshot.begin(with: members)
    }
    let openers = min(waiting.count - served, openable)
    if served < waiting.count { noteWaiting(from: served + openers) }
    let first = waiting[..<(served + openers)]
    waiting.removeFirst(first.count)
    for waiter in first where waiter.isCounted { counts.change(waiting: -1) }
    count += openers
    // They open a connection each, and wait again.
    for waiter in first.suffix(openers) { waiter.inquiry.wake() }
    startTimer()
  }

  private func noteWaiting(from start: Int) {
    for index in start..<waiting.count where !waiting[index].isCounted {
      waiting[index].isCounted = true
      counts.change(waiting: 1)
    }
  }

  /// Forgets the idle connections that the server has closed.
  private func removeLost() {
    guard idle.contains(where: { $0.failure != nil }) else { return }
    let left = idle.filter { $0.failure == nil }
    count -= idle.count - left.count
    counts.change(idle: left.count - idle.count)
    idle = left
  }

  /// Opens a connection that `count` contains already.
  private func open() async throws(PostgreSQLError) -> LoopConnection {
    do {
      let pipeline = try await openElsewhere().pipeline
      // Closed meanwhile: the loop can have ended, and must not be asked to watch the socket.
      guard !isClosed else { throw PostgreSQLError.closedDatabase }
      return try LoopConnection(pipeline, on: loop)
    } catch {
      count -= 1
      let failure = error as? PostgreSQLError ?? PostgreSQLError(.connecting, message: "\(error)")
      if count == 0 { failWaiting { _ in failure } }
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
        try SystemThread.startDetached(name: "connector") {
          caller.resume(with: Result { Opened(pipeline: try connector.connect()) })
        }
      } catch {
        caller.resume(throwing: error)
      }
    }
  }

  /// The next requests end the snapshot of the last ones together with their first statements, if they come in the same
  /// turn of the loop. A batch of its own for COMMIT would wake up both processes once more.
  private func giveBack(_ snapshot: SharedSnapshot) {
    inUse.removeAll { $0 === snapshot }
    counts.change(used: -1)
    let connection = snapshot.connection
    if connection.failure != nil || isClosed {
      connection.close()
      count -= 1
    } else {
      idle.append(connection)
      counts.change(idle: 1)
      // A batch begins by preparing its statements, which a failed transaction does not allow.
      if snapshot.hasFailed { endSnapshot(of: connection) } else { hasOpenSnapshots = true }
    }
  }

  private func endSnapshots() {
    hasOpenSnapshots = false
    for connection in idle where connection.hasSnapshot { endSnapshot(of: connection) }
  }

  private func endSnapshot(of connection: LoopConnection) {
    connection.hasSnapshot = false
    let batch = Batch()
    batch.append(.commit)
    connection.send(batch)
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
    for snapshot in inUse { snapshot.connection.giveUp(after: batchTimeout, at: now) }
    failWaiting { waiter in
      guard now - waiter.since >= connectionTimeout else { return nil }
      counts.reject()
      // All connections are in use or being opened.
      let isAnswering = inUse.contains { $0.connection.answeredAt.map { $0 >= waiter.since } ?? false }
      return isAnswering
        ? PostgreSQLError(.overloaded, message: "No connection became free within \(connectionTimeout).")
        : PostgreSQLError(.timedOut, message: "The database server did not answer within \(connectionTimeout).")
    }
    if !inUse.isEmpty || !waiting.isEmpty { startTimer() }
  }

  /// Ends the waiting of those for whom `failure` returns an error.
  private func failWaiting(_ failure: (Waiter) -> PostgreSQLError?) {
    let all = waiting
    waiting = []
    for waiter in all {
      if let failure = failure(waiter) {
        if waiter.isCounted { counts.change(waiting: -1) }
        waiter.inquiry.end(.failed(failure))
      } else {
        waiting.append(waiter)
      }
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
    failWaiting { _ in .closedDatabase }
  }
}

extension PostgreSQLError {
  fileprivate static let closedDatabase = PostgreSQLError(.closed, message: "The database is closed.")
}
