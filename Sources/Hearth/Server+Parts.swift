import Assets
import EventLoop
import GraphQLTransport
import HTTPServer
import Logging

/// The parts from which `Server.init` makes a server.
extension Server {
  /// The playground's page and files, and who can read the times of requests.
  struct ServedPage: Sendable {
    var files: StaticFiles
    var requestTimes: Configuration.RequestTimes
  }

  /// Loaded once for all servers of a process.
  static let files = StaticFiles(Asset.all, page: .playgroundPage)

  static func services(_ options: ServerOptions, log: Logger) async throws -> Services {
    var configuration = options.configuration
    if options.isDemonstration, configuration.requestTimes == nil { configuration.requestTimes = .signedIn }
    return try await Services(
      directory: options.dataDirectory,
      configuration: configuration,
      log: log,
      clock: options.clock,
      defersReads: options.defersReads
    )
  }

  /// Fills an empty data folder for a demonstration, whose page has the passwords.
  static func page(
    _ options: ServerOptions,
    files: StaticFiles,
    services: Services,
    log: Logger
  ) async throws -> ServedPage {
    var page = ServedPage(files: files, requestTimes: options.configuration.requestTimes ?? .nobody)
    guard options.isDemonstration else { return page }
    if let people = try await Demonstration.prepare(services) {
      page.files.replacePage(by: .demonstrationPage(people: people.json))
      page.requestTimes = services.configuration.requestTimes ?? .nobody
      log.notice("\(people.description)")
    } else {
      log.warning("--demo has no effect: the data folder already holds other data. Use an empty folder for the demo.")
    }
    return page
  }

  /// The server that clients connect to. It is not started.
  static func httpServer(
    _ options: ServerOptions,
    group: EventLoopGroup,
    handlers: LoopHandlers,
    log: Logger
  ) -> HTTPServer<GraphQLHandler<HearthService>> {
    HTTPServer(
      group: group,
      host: options.host,
      port: options.port,
      options: options.httpOptions,
      exhausted: { error in
        log.warning(
          "New connections wait: the limit of open files (ulimit -n) is too low.",
          metadata: ["error": "\(error)"]
        )
      },
      makeHandler: handlers.make
    )
  }

  /// - Parameter endpoint: the URL at which the server listens.
  static func composer(_ configuration: Configuration, services: Services, endpoint: String) -> MailComposer {
    MailComposer(
      // Never the host of a request: its sender could choose where the link in another person's mail leads.
      links: MailLinks(baseURL: configuration.appURL ?? configuration.publicURL ?? endpoint),
      sender: Mailbox(name: configuration.appName, address: configuration.mailSender),
      appName: configuration.appName,
      templates: configuration.mailTemplates,
      defaultLanguage: configuration.defaultLanguage,
      key: services.identifierKey,
      limits: services.rateLimits
    )
  }

  static func mail(_ options: ServerOptions, services: Services, composer: MailComposer) throws -> MailDelivery {
    try MailDelivery(
      services.mail,
      leases: services.leases,
      database: services.database,
      clock: services.clock,
      log: services.log,
      transport: (options.configuration.mail ?? .folder(DataFile.outbox.path(in: options.dataDirectory))).transport,
      compose: composer.compose
    )
  }

  static func pushes(_ configuration: Configuration, services: Services) throws -> PushDelivery {
    try PushDelivery(
      services.pushes,
      leases: services.leases,
      database: services.database,
      clock: services.clock,
      log: services.log,
      senders: services.pushSenders,
      compose: PushComposer(cipher: services.cipher, defaultLanguage: configuration.defaultLanguage).compose
    )
  }
}
