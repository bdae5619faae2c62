import Dispatch
import EventLoop
import HTTPServer
import Synchronization
import TestSupport

@testable import GraphQL
@testable import GraphQLTransport

/// A server of its own for one test, with one loop, and news to subscribe to.
struct NewsServer: Sendable {
  let port: Int
  let desk: NewsDesk
  private let group: EventLoopGroup
  private let server: HTTPServer<GraphQLHandler<NewsService>>
  let handler: GraphQLHandler<NewsService>
  private let subscriptions = Watched(0)

  /// Machines that run tests may be slow.
  static var patient: LiveOptions {
    var options = LiveOptions()
    options.initialization = .seconds(60)
    return options
  }

  /// Sends no heartbeats or pings by default.
  static var quiet: HTTPServerOptions {
    var options = HTTPServerOptions()
    options.pingInterval = .seconds(3600)
    options.heartbeatInterval = .seconds(3600)
    return options
  }

  static func run(
    options: HTTPServerOptions = quiet,
    live: LiveOptions = patient,
    connectionsPerPerson: Int = 100,
    anonymousConnections: Int = 1000,
    batchSize: Int = 1,
    workers: WorkerPool? = nil,
    throttle: LoopThrottle.Limits = LoopThrottle.Limits(share: 1),
    log: RequestLog? = nil,
    _ body: (NewsServer) async throws -> Void
  ) async throws {
    var handling = GraphQLHandlerOptions(files: StaticFiles(), metrics: Metrics())
    handling.connectionCounts = ConnectionCounts(limit: connectionsPerPerson, anonymousLimit: anonymousConnections)
    handling.batchSize = batchSize
    handling.workers = workers
    handling.throttle = throttle
    handling.live = live
    handling.log = log
    let server = try await NewsServer(options, handling: handling)
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private init(_ options: HTTPServerOptions, handling: GraphQLHandlerOptions) async throws {
    let executable = try NewsSchema.executable()
    let desk = NewsDesk()
    let made = Made()
    self.desk = desk
    group = try EventLoopGroup(count: 1)
    server = HTTPServer(group: group, host: "127.0.0.1", port: 0, options: options) { loop in
      let handler = GraphQLHandler(on: loop, NewsService(executable, desk), options: handling)
      made.handler.withLock { $0 = handler }
      return handler
    }
    port = try await server.start()
    guard let handler = made.handler.withLock({ $0 }) else { preconditionFailure("a loop has a handler") }
    self.handler = handler
    let subscriptions = subscriptions
    await onLoop { handler in handler.hub.countDidChange = { subscriptions.set($0) } }
    desk.whenSaid { [server = self] text in await server.publish(server.desk.nextNumber(), text, isKept: true) }
  }

  /// Runs `body` with a server whose only worker thread is busy until the semaphore is signalled.
  static func runWithBusyWorker(
    queueLimit: Int,
    batchSize: Int = 1,
    _ body: (NewsServer, WorkerPool, DispatchSemaphore) async throws -> Void
  ) async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: queueLimit)
    let (isBusy, gate) = (Counter(), DispatchSemaphore(value: 0))
    let busy = Task {
      try await pool.run {
        isBusy.increment()
        gate.wait()
      }
    }
    await isBusy.wait(for: 1)
    try await run(batchSize: batchSize, workers: pool) { try await body($0, pool, gate) }
    try await busy.value
    pool.stop()
  }

  private final class Made: Sendable {
    let handler = Mutex<GraphQLHandler<NewsService>?>(nil)
  }

  private func stop() async {
    await server.shutdown(deadline: .milliseconds(200))
    group.stop()
  }

  func shutdown(deadline: Duration) async { await server.shutdown(deadline: deadline) }

  /// Publishes news, kept or not.
  func publish(_ number: Int64, _ text: String, topic: String = "news", isKept: Bool = false) async {
    let news = NewsDesk.News(number: number, text: text)
    if isKept { desk.keep(news) }
    await onLoop { handler in
      handler.hub.publish(SourceEvent(news, position: isKept ? number : nil), to: Topic(topic))
    }
  }

  func end(topic: String) async { await onLoop { $0.hub.end(Topic(topic)) } }

  func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (isolated GraphQLHandler<NewsService>) -> Result
  ) async -> Result {
    await body(handler)
  }

  /// The numbers of open subscriptions, of connections with a session, and of handles of the loop.
  func subscriptionCount() async -> Int { await onLoop { $0.hub.count } }
  func sessionCount() async -> Int { await onLoop { $0.connections.count } }
  /// Whether there are events to deliver or to replay, for clients that accept more.
  func hubIsWorking() async -> Bool { await onLoop { $0.hub.isWorking } }
  func handleCount() async -> Int { await onLoop { $0.loop.openHandleCount } }

  /// The metrics of requests as text.
  func metrics() async -> String {
    await onLoop { handler in
      var list = MetricList()
      handler.options.metrics.add(to: &list)
      return PrometheusText(list).text
    }
  }

  /// Waits until so many subscriptions are open: a client cannot know.
  func waitForSubscriptions(_ count: Int) async { await subscriptions.wait { $0 == count } }

  /// Waits until the loop has `count` open handles.
  func waitForHandles(_ count: Int) async throws {
    // Closed handles are removed a turn of the loop later, and each request takes several turns.
    let port = port
    try await waitUntil("The loop has \(count) open handles.") {
      if await handleCount() == count { return true }
      _ = try await TestThread {
        let socket = try TestSocket(port: port)
        try socket.send("GET /health HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
        return try socket.receiveAll()
      }.value
      return false
    }
  }

  func connect(_ token: String? = nil, initialize: Bool = true) async throws -> LiveSocket {
    let socket = try await LiveSocket.open(port)
    if initialize { try await socket.initialize(token) }
    return socket
  }
}
