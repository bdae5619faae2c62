import EventLoop
import HTTP
import Synchronization

/// What the connections of one loop share: their handler, the options, the date, and the list of them all.
///
/// `@unchecked Sendable`: its variables belong to the loop's thread. The connections and the server reach it from there
/// only, each an actor of its own but all on that loop, which region isolation cannot know; every entry checks it.
final class ServerLoop<Handler: HTTPHandler>: @unchecked Sendable {
  let loop: EventLoop
  let handler: Handler
  let options: HTTPServerOptions
  let patience: Patience
  /// Of all loops of the server.
  let receivedBytes: ByteBudget
  let unsentResponses: ByteBudget
  /// The connections of all loops of the server.
  private let serverConnectionCount: ConnectionCount
  /// By their streams: what a connection speaks may change.
  private var connections: [ObjectIdentifier: any ServerConnection] = [:]
  private(set) var isDraining = false
  private var whenDrained: [CheckedContinuation<Void, Never>] = []
  private var currentDate = HTTPDate(epochSeconds: EventLoop.secondsSinceEpoch)
  private var dateExpiry: UInt64 = 0

  init(loop: EventLoop, handler: Handler, options: HTTPServerOptions, shared: SharedCounts) {
    self.loop = loop
    self.handler = handler
    self.options = options
    patience = Patience(options)
    serverConnectionCount = shared.connections
    receivedBytes = shared.receivedBytes
    unsentResponses = shared.unsentResponses
  }

  /// The date for answers, rendered anew once a second.
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
    // It was accepted before the listener closed, but comes too late.
    guard !isDraining else { return stream.close() }
    let isWelcome = serverConnectionCount.increment() <= options.maximumConnections
    let id = ObjectIdentifier(stream)
    let connection = HTTPConnection(stream, in: self)
    connections[id] = connection
    connection.assumeIsolated { $0.start(isWelcome: isWelcome) }
  }

  /// A stream's connection goes on as another.
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

  /// Closes what is idle, lets the rest finish, closes what is left after `milliseconds`, and returns when all is
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

  private static func drain(_ connection: some ServerConnection) { connection.assumeIsolated { $0.drain() } }

  private static func close(_ connection: some ServerConnection) { connection.assumeIsolated { $0.close() } }

  private func resumeIfDrained() {
    guard isDraining, connections.isEmpty else { return }
    let waiting = whenDrained
    whenDrained = []
    for continuation in waiting { continuation.resume() }
  }
}

/// What is counted over all loops of a server.
struct SharedCounts: Sendable {
  let connections = ConnectionCount()
  let receivedBytes: ByteBudget
  let unsentResponses: ByteBudget
}

/// How many connections a server has, on all of its loops.
final class ConnectionCount: Sendable {
  private let count = Atomic<Int>(0)

  /// The number with the one more.
  func increment() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }

  func decrement() { count.wrappingSubtract(1, ordering: .relaxed) }
}
