import Basics
import EventLoop
import Foundation
import Glibc
import GraphQLTransport
import HTTPServer
import Logging

/// A running server: the data, the event loops and the port.
package final class Server: Sendable {
  let services: Services
  let group: EventLoopGroup
  private let server: HTTPServer<GraphQLHandler<HearthService>>
  private let delivery: Delivery
  private let control: HTTPServer<ControlHandler>?
  private let handlers: LoopHandlers
  private let observation: Observation
  /// Measure and export until they are cancelled.
  private let observing: [Task<Void, Never>]
  private let log: Logger
  /// The port on which the server listens.
  package let port: Int
  /// The URL at which the server listens, without a path.
  package let url: String
  /// How long a shutdown waits for running requests.
  private static let deadline = Duration.seconds(10)

  var mail: MailDelivery { delivery.mail }
  var pushes: PushDelivery { delivery.pushes }
  /// Written from `runUntilSignal` on.
  var requestLog: RequestLog? { observation.requestLog }
  /// Nil if nothing is exported.
  var telemetry: TelemetryExporter? { observation.telemetry }

  /// Opens the data and starts serving.
  package init(_ options: ServerOptions, log: Logger) async throws {
    let startedAt = Date()
    // Before anything is opened.
    DescriptorLimit.raise()
    self.log = log
    let configuration = options.configuration
    // Compressed while the data is opened.
    async let playground = Self.files
    let executable = try HearthSchema.executable(isSubgraph: configuration.isSubgraph)
    let documents = try StoredDocuments(of: configuration, executable: executable)
    services = try await Self.makeServices(options, log: log)
    let people = configuration.isDemonstration ? try await Self.prepareDemonstration(in: services, log: log) : nil
    let files = Self.makeFiles(await playground, for: people)
    group = try options.loops.map { try EventLoopGroup(count: $0) } ?? EventLoopGroup()
    observation = try Observation(options, of: services, on: group.loops, since: startedAt, log: log)
    let handling = try Self.makeHandlerOptions(
      options,
      services: services,
      documents: documents,
      files: files,
      observation: observation
    )
    handlers = try LoopHandlers(
      handling,
      services: services,
      executable: executable,
      requestTimes: configuration.requestTimes(inDemonstration: people != nil),
      serverMetrics: observation.serverMetrics
    )
    server = Self.makeHTTPServer(options, group: group, handlers: handlers, log: log)
    port = try await server.start()
    if let notice = Self.networkNotice(options) { log.warning("\(notice)") }
    let accepted = await server.maximumConnections
    if let notice = Self.connectionNotice(options, accepted: accepted) { log.notice("\(notice)") }
    if !configuration.delivers { log.notice("--without-delivery: mails, pushes and webhooks stay in their queues.") }
    url = "http://\(options.host.hostInURL):\(port)"
    delivery = try Delivery(options, services: services, endpoint: url)
    let interval = configuration.telemetry.metricsInterval
    observing = observation.start(server, pushes: delivery.pushes, exportingEvery: interval)
    let controlled = Self.makeControlledServer(
      server,
      at: url,
      services: services,
      delivery: delivery,
      observation: observation
    )
    control = await ControlSocket.start(for: controlled, on: group.loops[0])
    await services.start()
  }

  /// Records the signals that end a server if one arrives before `runUntilSignal` observes them. Must be called first.
  package static func rememberSignals() {
    EarlySignals.remember([SIGTERM, SIGINT, SIGHUP])
    // A file size limit, as set by `ulimit -f`, must cause an error that can be reported instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Why the networks of clients cannot be distinguished, as far as the settings show; nil if they can.
  static func networkNotice(_ options: ServerOptions) -> String? {
    guard options.configuration.clientAddressHeader == nil else { return nil }
    let isLoopback = options.host == "localhost" || options.host == "::1" || options.host.hasPrefix("127.")
    // The server itself does not speak TLS, so a proxy terminates it.
    let hasProxy = options.configuration.publicURL?.hasPrefix("https:") ?? false
    if isLoopback {
      return """
        Clients' networks cannot be distinguished: the server listens on loopback, and HEARTH_CLIENT_ADDRESS_HEADER \
        is not set. Rate limits count by account and in total only. Set it when there is a proxy in front.
        """
    }
    return hasProxy
      ? """
      Clients' networks cannot be distinguished: HEARTH_PUBLIC_URL belongs to a proxy, and \
      HEARTH_CLIENT_ADDRESS_HEADER is not set. Rate limits count all clients as the proxy's network: set it to the \
      header that the proxy sends.
      """ : nil
  }

  /// Runs until the first SIGTERM, SIGINT or SIGHUP (which a closing terminal sends). Running requests are then
  /// completed and the data is closed.
  ///
  /// - Parameter announce: called once the signals are observed, so that a process that learns that the server is
  ///   ready can end it immediately.
  package func runUntilSignal(_ announce: () throws -> Void) async throws {
    let endsWithTerminal = !EventLoop.ignoresSignal(SIGHUP)
    let signals = try await group.loops[0].signals(endsWithTerminal ? [SIGTERM, SIGINT, SIGHUP] : [SIGTERM, SIGINT])
    if let early = EarlySignals.take() {
      log.info("Shutting down before serving.", metadata: ["signal": "\(early)"])
      return await shutdown()
    }
    try announce()
    // After the line that scripts wait for.
    try requestLog?.start(writingTo: STDOUT_FILENO) { [log] in log.error("\($0)") }
    for await number in signals {
      log.info("Shutting down.", metadata: ["signal": "\(number)"])
      break
    }
    await shutdown()
  }

  package func shutdown() async {
    // At the same time: a command that is not complete must not keep the port open.
    async let commands: Void = endCommands()
    await server.shutdown(deadline: Self.deadline)
    await commands
    for task in observing { task.cancel() }
    await handlers.close()
    group.stop()
    requestLog?.stop()
    telemetry?.stop()
    await mail.stop()
    await pushes.stop()
    await services.close()
  }

  private func endCommands() async {
    guard let control else { return }
    ControlSocket.remove(from: services.data.directory)
    await control.shutdown(deadline: Self.deadline)
  }
}
