import EventLoop
import GraphQL
import GraphQLTransport
import Synchronization

/// Makes the handler of each event loop, from what the handlers share.
final class LoopHandlers: Sendable {
  private let services: Services
  private let executable: ExecutableSchema
  private let requestTimes: Configuration.RequestTimes
  private let serverMetrics: ServerMetrics
  private let options: GraphQLHandlerOptions
  /// Close the readers of the loops.
  private let closing = Mutex<[@Sendable () async -> Void]>([])

  init(
    _ options: GraphQLHandlerOptions,
    services: Services,
    executable: ExecutableSchema,
    requestTimes: Configuration.RequestTimes,
    serverMetrics: ServerMetrics
  ) throws {
    self.options = options
    self.services = services
    self.executable = executable
    self.requestTimes = requestTimes
    self.serverMetrics = serverMetrics
    try services.followOthers { [connectionCounts = options.connectionCounts] in connectionCounts.sessions }
  }

  func make(on loop: EventLoop) -> GraphQLHandler<HearthService> {
    let service = HearthService(
      services,
      executable: executable,
      on: loop,
      requestTimes: requestTimes
    ) { [serverMetrics] in await serverMetrics.add(to: &$0) }
    whenClosing(on: loop) { service.close() }
    let handler = GraphQLHandler(on: loop, service, options: options)
    services.feed.attach(handler.hub, on: loop)
    let hub = handler.hub
    whenClosing(on: loop) { Feed.detach(hub) }
    return handler
  }

  /// - Parameter body: called on the loop's thread.
  private func whenClosing(on loop: EventLoop, _ body: @escaping () -> Void) {
    // Only called on the loop's thread.
    nonisolated(unsafe) let body = body
    closing.withLock { closing in
      closing.append { await Task(executorPreference: loop) { body() }.value }
    }
  }

  /// Closes the readers of all loops, and detaches their subscriptions from the feed. Must be called before the loops
  /// end.
  func close() async {
    let closing = closing.withLock { closing in
      defer { closing = [] }
      return closing
    }
    for close in closing { await close() }
  }
}
