import EventLoop
import HTTP

/// An HTTP/1.1 server on all loops of a group. It is isolated to the first loop, which accepts the connections.
package actor HTTPServer<Handler: HTTPHandler> {
  private let group: EventLoopGroup
  private let makeSocket: @Sendable () throws(ListenError) -> ListeningSocket
  private let options: HTTPServerOptions
  /// Whether descriptors are kept free of connections.
  private let reservesDescriptors: Bool
  private let exhausted: @Sendable (SystemError) -> Void
  private let makeHandler: @Sendable (EventLoop) -> Handler
  private var listener: TCPListener?
  private var loops: [ServerLoop<Handler>] = []
  private let connections = ConnectionCount()
  /// The maximum number of connections: that of the options, or what the limit on open files leaves. Set by `start()`.
  package private(set) var maximumConnections = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor { group.loops[0].asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - host: An address or a name of this machine.
  ///   - port: The port; with 0 the system chooses a free one.
  ///   - exhausted: Called when connections wait because descriptors or memory have run out, at most once a minute.
  ///   - makeHandler: Called once for each loop, on its thread.
  package init(
    group: EventLoopGroup,
    host: String,
    port: Int,
    options: HTTPServerOptions = HTTPServerOptions(),
    exhausted: @escaping @Sendable (SystemError) -> Void = { _ in },
    makeHandler: @escaping @Sendable (EventLoop) -> Handler
  ) {
    self.group = group
    let backlog = options.backlog
    makeSocket = { () throws(ListenError) in try ListeningSocket(host: host, port: port, backlog: backlog) }
    self.options = options
    reservesDescriptors = true
    self.exhausted = exhausted
    self.makeHandler = makeHandler
  }

  /// A server on a socket that listens already, for few connections: no descriptors are kept free of them.
  package init(
    group: EventLoopGroup,
    socket: ListeningSocket,
    options: HTTPServerOptions,
    makeHandler: @escaping @Sendable (EventLoop) -> Handler
  ) {
    self.group = group
    makeSocket = { () throws(ListenError) in socket }
    self.options = options
    reservesDescriptors = false
    exhausted = { _ in }
    self.makeHandler = makeHandler
  }

  /// The number of open connections.
  package nonisolated var connectionCount: Int { connections.value }

  /// Starts serving and returns the port. Call it once.
  ///
  /// - Throws: `ListenError`, or a `SystemError` when the group has been stopped.
  package func start() async throws -> Int {
    precondition(loops.isEmpty, "a server starts once")
    let socket = try makeSocket()
    let shared = SharedCounts(
      connections: connections,
      receivedBytes: ByteBudget(limits: options.receivedBytes),
      unsentResponses: ByteBudget(limits: options.unsentResponses)
    )
    let limit =
      reservesDescriptors
      ? ConnectionLimit(options, loops: group.loops.count)
      : ConnectionLimit(withinReserve: options)
    maximumConnections = limit.maximum
    var limited = options
    limited.maximumConnections = limit.maximum
    let (options, makeHandler) = (limited, makeHandler)
    for loop in group.loops {
      let serverLoop = try await loop.run {
        ServerLoop(loop: loop, handler: makeHandler(loop), options: options, shared: shared)
      }
      loops.append(serverLoop)
    }
    let byLoop = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.loop), $0) })
    listener = try TCPListener(
      socket,
      on: group.loops[0],
      dealingTo: group.loops,
      descriptorLimit: limit.descriptorLimit
    ) { stream in
      byLoop[ObjectIdentifier(stream.loop)]?.accept(stream)
    } exhausted: { [exhausted] error in
      exhausted(error)
    }
    return socket.port
  }

  /// Stops accepting connections, closes idle ones, lets running requests finish with `Connection: close`, and closes
  /// the rest after `deadline`. Returns once all connections are closed.
  package func shutdown(deadline: Duration) async {
    listener?.close()
    listener = nil
    let drains = loops.map { serverLoop in
      Task(executorPreference: serverLoop.loop) { await serverLoop.drain(within: deadline.timeout) }
    }
    for drain in drains { await drain.value }
  }
}
