import Bytes
import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Storage

/// The service of one event loop: its reader and its cache of tokens.
package final class HearthService: GraphQLService {
  package let executable: ExecutableSchema
  package let isIntrospectionPublic: Bool
  let services: Services
  let parts: LoopParts
  let readers: LoopReaders
  var sessions = SessionCache()
  private let addServerMetrics: @Sendable (inout MetricList) async -> Void
  private let requestTimes: Configuration.RequestTimes
  let pages: AccountPages

  /// - Parameter metrics: Adds the metrics of the server as a whole.
  package init(
    _ services: Services,
    executable: ExecutableSchema,
    on loop: EventLoop,
    requestTimes: Configuration.RequestTimes,
    metrics: @escaping @Sendable (inout MetricList) async -> Void = { _ in }
  ) {
    self.services = services
    self.requestTimes = requestTimes
    addServerMetrics = metrics
    let configuration = services.configuration
    pages = AccountPages(
      appName: configuration.appName,
      registrationRequires: configuration.registrationRequires,
      defaultLanguage: configuration.defaultLanguage,
      // The other links in mails lead to the app.
      served: configuration.appURL == nil ? Set(AccountPage.allCases) : [.stopInvitations]
    )
    self.executable = executable
    readers = services.database.makeLoopReaders(on: loop)
    // The first request tries again, and reports an error.
    try? readers.open()
    parts = LoopParts(services, on: loop, schema: executable.schema)
    isIntrospectionPublic = services.configuration.introspection == .everyone
  }

  /// Closes the connections to the database. Must be called on the thread of the loop, before the loop ends.
  func close() { readers.close() }

  package func identity(of context: RequestContext) -> ConnectionIdentity { context.identity }

  package func position(of context: RequestContext) throws -> String? {
    guard let viewer = context.unrecordedViewer else { return nil }
    return context.text(ofPosition: try FeedPosition.latest(for: viewer, in: context))
  }

  package func whenSessionsChange(_ body: @escaping @Sendable ([Int64]?, SessionChange) -> Void) {
    services.endedSessions.observe { body($0?.map(\.rawValue), $1) }
  }

  package func allowsIntrospection(_ context: RequestContext) -> Bool {
    isIntrospectionPublic || context.unrecordedViewer != nil
  }

  package func firstResponse(to request: IdempotentRequest, in context: RequestContext) async throws -> [UInt8]? {
    do {
      return try await context.firstResponse(to: request)
    } catch let error as DatabaseError {
      throw unavailability(for: error)
    } catch let error as FieldError {
      // It can be that of reading the caller, which happens together with the key.
      let failure = GraphQLError(error)
      throw context.unreadCaller == nil ? GraphQLErrors([failure]) : ServiceUnavailable(failure) as any Error
    }
  }

  package func keep(_ response: [UInt8]?, of request: IdempotentRequest, in context: RequestContext) async throws {
    try await context.keep(response)
  }

  package func finish(_ context: RequestContext) {
    readers.giveBack(context.finish())
  }

  package func reasonNotReady() -> String? {
    if let reason = services.readiness.reason() { return reason }
    guard let reader = try? readers.take() else { return "the database cannot be opened" }
    readers.giveBack(reader)
    return nil
  }

  package var isReadOnly: Bool { services.readOnlyMode.isOn }

  package func addMetrics(to list: inout MetricList) async { await addServerMetrics(&list) }

  package var now: Int64 { services.clock.now() }

  package func steps(of context: RequestContext) -> [RequestRecord.Step] {
    context.statementTimes.map { RequestRecord.Step($0.sql, count: $0.count, nanoseconds: $0.nanoseconds) }
  }

  package func allowsMeasurement(_ context: RequestContext) -> Bool {
    guard let viewer = context.unrecordedViewer else { return false }
    return switch requestTimes {
    case .nobody: false
    case .signedIn: true
    case .people(let ids): ids.contains(services.cipher.text(of: viewer.member))
    }
  }

  package func positionsOfEvents(of context: RequestContext) -> [String] {
    context.eventPositions.map(context.text(ofPosition:))
  }
}
