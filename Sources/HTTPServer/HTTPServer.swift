import EventLoop
import HTTP

/// An HTTP/1.1 server over all loops of a group. Lives on the first of them, where connections are accepted.
package actor HTTPServer<Handler: HTTPHandler> {
  private let group: EventLoopGroup
  private let host: String
  private let port: Int
  private let options: HTTPServerOptions
  private let exhausted: @Sendable (SystemError) -> Void
  private let makeHandler: @Sendable (EventLoop) -> Handler
  private var listener: TCPListener?
  private var loops: [ServerLoop<Handler>] = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor { group.loops[0].asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - host: an address or a name of this machine.
  ///   - port: 0 lets the system choose a free one.
  ///   - exhausted: called when connections wait since descriptors or memory have run out, at most once a minute.
  ///   - makeHandler: called once for each loop, on its thread.
  package init(
    group: EventLoopGroup,
    host: String,
    port: Int,
    options: HTTPServerOptions = HTTPServerOptions(),
    exhausted: @escaping @Sendable (SystemError) -> Void = { _ in },
    makeHandler: @escaping @Sendable (EventLoop) -> Handler
  ) {
    self.group = group
    self.host = host
    self.port = port
    self.options = options
    self.exhausted = exhausted
    self.makeHandler = makeHandler
  }

  /// Begins to serve, and returns the port. Once only.
  /// - Throws: `ListenError`, or a `SystemError` when the group has been stopped.
  package func start() async throws -> Int {
    precondition(loops.isEmpty, "a server starts once")
    let socket = try ListeningSocket(host: host, port: port, backlog: options.backlog)
    let shared = SharedCounts(
      receivedBytes: ByteBudget(limits: options.receivedBytes),
      unsentResponses: ByteBudget(limits: options.unsentResponses)
    )
    let (options, makeHandler) = (options, makeHandler)
    for loop in group.loops {
      let serverLoop = try await loop.run {
        ServerLoop(loop: loop, handler: makeHandler(loop), options: options, shared: shared)
      }
      loops.append(serverLoop)
    }
    let byLoop = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.loop), $0) })
    listener = try TCPListener(socket, on: group.loops[0], dealingTo: group.loops) { stream in
      byLoop[ObjectIdentifier(stream.loop)]?.accept(stream)
    } exhausted: { [exhausted] error in
      exhausted(error)
    }
    return socket.port
  }

  /// Accepts no more connections, closes idle ones, lets requests finish and answers them with `Connection: close`, and
  /// closes what is left after `deadline`. Returns when all connections are closed.
  package func shutdown(deadline: Duration) async {
    listener?.close()
    listener = nil
    let drains = loops.map { serverLoop in
      Task(executorPreference: serverLoop.loop) { await serverLoop.drain(within: deadline.milliseconds) }
    }
    for drain in drains { await drain.value }
  }
}
