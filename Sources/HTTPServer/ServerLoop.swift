import EventLoop
import HTTP
import Synchronization

/// The state shared by the connections of one loop: the handler, the options, the date, and the list of connections.
///
/// `@unchecked Sendable`: its variables are confined to the loop's thread. The connections and the server access it
/// from there only. Each is an actor of its own on that loop, which region isolation cannot express; every entry point
/// checks the thread.
final class ServerLoop<Handler: HTTPHandler>: @unchecked Sendable {
  let loop: EventLoop
  let handler: Handler
  let options: HTTPServerOptions
  let timeouts: ConnectionTimeouts
  let reading = LoopCall<HTTPConnection<Handler>, UnsafeRawBufferPointer, Void> { $0.streamDidRead($1) }
  let answering = LoopCall<Handler, HTTPRequest, HTTPAnswer> { $0.answer($1) }
  let parserMemory = ParserMemory()
  /// Shared by all loops of the server.
  let receivedBytes: ByteBudget
  let unsentResponses: ByteBudget
  /// The number of connections on all loops of the server.
  private let serverConnectionCount: ConnectionCount
  /// Keyed by stream, because the protocol of a connection can change.
  private(set) var connections: [ObjectIdentifier: any ServerConnection] = [:]
  /// The number of connections from which on idle ones are closed: nine tenths of the maximum.
  private let crowdedCount: Int
  /// The connections that are closed next for new ones, the longest idle one last.
  var longestIdle: ArraySlice<IdleConnection> = []
  /// When idle connections can be searched again, in the loop's milliseconds.
  var nextIdleSearch: UInt64 = 0
  private(set) var isDraining = false
  private var whenDrained: [CheckedContinuation<Void, Never>] = []
  private var currentDate = HTTPDate(epochSeconds: EventLoop.secondsSinceEpoch)
  private var dateExpiry: UInt64 = 0

  init(loop: EventLoop, handler: Handler, options: HTTPServerOptions, shared: SharedCounts) {
    self.loop = loop
    self.handler = handler
    self.options = options
    timeouts = ConnectionTimeouts(options)
    serverConnectionCount = shared.connections
    crowdedCount = options.maximumConnections * 9 / 10
    receivedBytes = shared.receivedBytes
    unsentResponses = shared.unsentResponses
  }

  /// The Date header of responses, formatted once per second.
  var date: HTTPDate {
    let now = loop.now
    if now >= dateExpiry {
      currentDate = HTTPDate(epochSeconds: EventLoop.secondsSinceEpoch)
      dateExpiry = now + 1000
    }
    return currentDate
  }

  // MARK: Connections

  func accept(_ stream: sending TCPStream) {
    loop.checkIsolated()
    // Accepted before the listener closed, but too late to be served.
    guard !isDraining else { return stream.close() }
    let count = serverConnectionCount.increment()
    let isWelcome = count <= options.maximumConnections
    if count > crowdedCount { closeLongestIdle() }
    let id = ObjectIdentifier(stream)
    let connection = HTTPConnection(stream, in: self)
    connections[id] = connection
    connection.assumeOnLoop { $0.start(isWelcome: isWelcome) }
  }

  /// Replaces the connection object of a stream.
  func replace(_ stream: ObjectIdentifier, with connection: any ServerConnection) {
    loop.checkIsolated()
    connections[stream] = connection
  }

  func remove(_ stream: ObjectIdentifier) {
    loop.checkIsolated()
    guard connections.removeValue(forKey: stream) != nil else { return }
    serverConnectionCount.decrement()
    resumeIfDrained()
  }

  // MARK: Shutting down

  /// Closes idle connections, lets the others finish, closes the rest after `milliseconds`, and returns once all are
  /// closed.
  func drain(within milliseconds: UInt64) async {
    let timer = beginDraining(within: milliseconds)
    await withCheckedContinuation { continuation in
      whenDrained.append(continuation)
      resumeIfDrained()
    }
    timer.close()
  }

  private func beginDraining(within milliseconds: UInt64) -> LoopTimer {
    loop.checkIsolated()
    isDraining = true
    for connection in connections.values { Self.drain(connection) }
    return loop.schedule(after: milliseconds) { [self] in
      for connection in connections.values { Self.close(connection) }
    }
  }

  private static func drain(_ connection: some ServerConnection) { connection.assumeOnLoop { $0.drain() } }

  private static func close(_ connection: some ServerConnection) { connection.assumeOnLoop { $0.close() } }

  private func resumeIfDrained() {
    guard isDraining, connections.isEmpty else { return }
    let waiting = whenDrained
    whenDrained = []
    for continuation in waiting { continuation.resume() }
  }
}

/// The counters shared by all loops of a server.
struct SharedCounts: Sendable {
  let connections: ConnectionCount
  let receivedBytes: ByteBudget
  let unsentResponses: ByteBudget
}

/// The number of connections of a server on all of its loops.
final class ConnectionCount: Sendable {
  private let count = Atomic<Int>(0)

  /// Increments the number and returns it.
  func increment() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }

  var value: Int { count.load(ordering: .relaxed) }

  func decrement() { count.wrappingSubtract(1, ordering: .relaxed) }
}
