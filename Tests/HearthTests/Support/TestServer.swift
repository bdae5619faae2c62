import EventLoop
import GraphQLTransport
import Logging
import Storage
import TestSupport

@testable import Hearth

/// A server of its own for one test: in this process, on a free port, over a file of its own, with a clock that is set.
struct TestServer: Sendable {
  let port: Int
  let clock: TestClock
  let directory: TemporaryDirectory
  let database: TestDatabase
  /// Whether the data ends with the server.
  private let ownsData: Bool
  private let server: Server

  /// A client that has not signed in.
  var visitor: Client { Client(port: port) }
  var http: HTTPClient { HTTPClient(port: port) }

  /// The state shared by its requests.
  var services: Services { server.services }

  var loops: [EventLoop] { server.group.loops }

  var requestLog: RequestLog? { server.requestLog }

  var telemetry: TelemetryExporter? { server.telemetry }

  /// Attempts to send all due mails.
  func deliverMail() async { await server.mail.deliver() }

  /// Attempts to send all due notifications.
  func deliverPushes() async { await pushes.deliver() }

  var pushes: PushDelivery { server.pushes }

  static func run(
    loops: Int = 2,
    in directory: TemporaryDirectory? = nil,
    startingLater seconds: Int64 = 0,
    clock: TestClock = TestClock(),
    demo: Bool = false,
    database: TestDatabase = .configured,
    log: Logger = silentLog,
    configure: (inout Configuration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let server = try await TestServer(
      loops: loops,
      in: directory,
      startingLater: seconds,
      clock: clock,
      demo: demo,
      database: database,
      log: log,
      configure: configure
    )
    do {
      try await body(server)
    } catch {
      await server.server.shutdown()
      throw error
    }
    await server.server.shutdown()
    if server.ownsData { try await ServerDatabases.drop(forFolder: server.directory.path) }
  }

  static let silentLog = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private init(
    loops: Int,
    in directory: TemporaryDirectory?,
    startingLater seconds: Int64,
    clock: TestClock,
    demo: Bool,
    database: TestDatabase,
    log: Logger,
    configure: (inout Configuration) -> Void
  ) async throws {
    self.database = database
    ownsData = directory == nil
    self.clock = clock
    clock.advance(seconds: seconds)
    self.directory = try directory ?? TemporaryDirectory()
    var options = ServerOptions()
    options.port = 0
    options.loops = loops
    options.dataDirectory = self.directory.path
    // Tests in which hashing must take long set a higher one.
    options.configuration.passwordCost = 4
    // Requests take long in debug builds.
    options.configuration.callerShare = 100
    options.configuration.databaseLimits.groupTime = .seconds(60)
    // No test sends anything to a real push service, and this host has no address.
    options.configuration.push.webHosts = ["push.invalid"]
    options.clock = clock.clock
    options.defersReads = database == .deferred
    options.configuration.isDemonstration = demo
    if database == .postgresql {
      options.configuration.databaseURL = try await ServerDatabases.url(forFolder: self.directory.path)
      // The clusters of tests do not wait for the disk.
      options.configuration.allowsUnsafeDatabase = true
      // Other tests use the processors too, and some hold back the writes of a server.
      options.configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(60)
      options.configuration.databaseLimits.postgreSQL.readTime = .seconds(20)
      options.configuration.databaseLimits.postgreSQL.statementTime = .seconds(30)
    }
    configure(&options.configuration)
    if directory == nil, options.configuration.databaseURL == nil {
      try await MigratedFile.write(into: self.directory.path)
    }
    server = try await Server(options, log: log)
    port = server.port
  }
}
