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
  private let services: Services
  private let parts: LoopParts
  private let readers: LoopReaders
  private var sessions = SessionCache()
  private let addServerMetrics: @Sendable (inout MetricList) async -> Void
  private let requestTimes: Configuration.RequestTimes
  /// Nil if links in mails lead to the app.
  private let pages: AccountPages?

  /// - Parameter metrics: Adds the metrics of the server as a whole.
  package init(
    _ services: Services,
    executable: ExecutableSchema,
    on loop: EventLoop,
    requestTimes: Configuration.RequestTimes = .nobody,
    metrics: @escaping @Sendable (inout MetricList) async -> Void = { _ in }
  ) {
    self.services = services
    self.requestTimes = requestTimes
    addServerMetrics = metrics
    let configuration = services.configuration
    pages =
      configuration.appURL == nil
      ? AccountPages(
        appName: configuration.appName,
        registrationRequires: configuration.registrationRequires,
        defaultLanguage: configuration.defaultLanguage
      ) : nil
    self.executable = executable
    readers = services.database.makeLoopReaders(on: loop)
    parts = LoopParts(services, schema: executable.schema)
    isIntrospectionPublic = services.configuration.introspection == .everyone
  }

  /// Closes the connections to the database. Must be called on the thread of the loop, before the loop ends.
  func close() { readers.close() }

  package func knownContext(for caller: Caller) throws -> RequestContext? {
    try knownContext(for: caller, [])
  }

  private func knownContext(for caller: Caller, _ files: [UploadedFile]) throws -> RequestContext? {
    guard let authorization = caller.authorization else {
      return context(for: caller, nil, fault: nil, files, reader: try takeReader())
    }
    guard let token = authorization.bearerToken else {
      return context(for: caller, nil, fault: .malformed, files, reader: try takeReader())
    }
    // Read once, for the expiry of the token and for the start of the request.
    let now = services.clock.now()
    guard let admission = sessions.admission(for: token, at: now, services) else { return nil }
    return context(for: caller, admission, isRemembered: true, fault: nil, files, reader: try takeReader(), at: now)
  }

  package func context(for caller: Caller, _ files: [UploadedFile]) async throws -> RequestContext {
    if let known = try knownContext(for: caller, files) { return known }
    guard let token = caller.authorization?.bearerToken else {
      return context(for: caller, nil, fault: .malformed, files, reader: try takeReader())
    }
    return try await context(for: caller, token: token, files: files)
  }

  /// Behind a proxy the network is known once the headers are read, otherwise when the connection is accepted. Requests
  /// from this machine are not limited, because they may come from a proxy for any client.
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? {
    let address = services.configuration.clientAddressHeader == nil ? peer : request.flatMap { self.address(of: $0) }
    return address.flatMap { ClientNetwork($0) }.map { ByteOwner(.network, key: $0.lane.key) }
  }

  package func subscriber(of context: RequestContext) -> Subscriber { context.subscriber }

  package func context(for subscriber: Subscriber) throws -> RequestContext {
    RequestContext(
      parts,
      reader: try takeReader(),
      viewer: subscriber.viewer,
      isViewerRemembered: true,
      tokenFault: subscriber.tokenFault,
      tokenExpiresAt: subscriber.tokenExpiresAt,
      caller: subscriber.caller,
      files: [],
      startedAt: now
    )
  }

  package func identity(of context: RequestContext) -> ConnectionIdentity { context.identity }

  package func position(of context: RequestContext) throws -> String? {
    guard let viewer = context.viewer else { return nil }
    return context.text(ofPosition: try FeedPosition.latest(for: viewer, in: context))
  }

  package func whenSessionsChange(_ body: @escaping @Sendable ([Int64], SessionChange) -> Void) {
    services.endedSessions.observe { body($0.map(\.rawValue), $1) }
  }

  /// - Parameter isRemembered: Whether the session was not read for this request.
  private func context(
    for caller: Caller,
    _ admission: SessionCache.Admission?,
    isRemembered: Bool = false,
    fault: TokenFault?,
    _ files: [UploadedFile],
    reader: Reader,
    at time: Int64? = nil
  ) -> RequestContext {
    RequestContext(
      parts,
      reader: reader,
      viewer: admission?.viewer,
      isViewerRemembered: isRemembered,
      tokenFault: fault,
      tokenExpiresAt: admission?.expiresAt,
      caller: caller,
      files: files,
      startedAt: time ?? now
    )
  }

  /// Uses the last address of the header, which the own proxy has added. Clients can forge the ones before it.
  package func address(of request: HTTPRequest) -> String? {
    guard let header = services.configuration.clientAddressHeader else { return request.peer }
    var address: Substring?
    request.forEachHeader { name, value in
      // This runs for every request, so a `String` is created only for names with the length of the header's.
      guard name.count == header.utf8.count else { return }
      guard String(decoding: name, as: UTF8.self).lowercased() == header else { return }
      address = String(decoding: value, as: UTF8.self).split(separator: ",").last
    }
    return address.map(String.init)
  }

  package func connectionError(for address: String?) -> GraphQLError? {
    let caller = RateLimits.Caller(network: address.flatMap(ClientNetwork.init))
    guard let wait = services.rateLimits.take(.connection, by: caller, at: services.clock.now()) else { return nil }
    return GraphQLError(ofRequest: .rateLimited(for: wait))
  }

  package func errorOfIntrospection(by context: RequestContext) -> GraphQLError? {
    let caller = RateLimits.Caller(network: context.client)
    guard let wait = services.rateLimits.take(.introspection, by: caller, at: context.now) else { return nil }
    return GraphQLError(ofRequest: .rateLimited(for: wait))
  }

  /// Request bodies count against the member, or for other callers against the network. Requests from this machine do
  /// not count, because they may come from a proxy for any client.
  package func payer(of context: RequestContext) -> ByteOwner? {
    if let viewer = context.viewer { return ByteOwner(.person, key: UInt64(bitPattern: viewer.member.rawValue)) }
    return context.client.map { ByteOwner(.network, key: $0.lane.key) }
  }

  package func allowsIntrospection(_ context: RequestContext) -> Bool {
    isIntrospectionPublic || context.viewer != nil
  }

  package func firstResponse(to request: IdempotentRequest, in context: RequestContext) async throws -> [UInt8]? {
    do {
      return try await context.firstResponse(to: request)
    } catch let error as DatabaseError {
      throw unavailability(for: error)
    } catch let error as FieldError {
      // Of the caller, who is read together with the key.
      let failure = GraphQLError(ofRequest: error)
      throw context.unreadCaller == nil ? GraphQLErrors([failure]) : ServiceUnavailable(failure) as any Error
    }
  }

  package func keep(_ response: [UInt8]?, of request: IdempotentRequest, in context: RequestContext) async throws {
    try await context.keep(response)
  }

  package func finish(_ context: RequestContext) {
    context.rememberIfSlow()
    context.endRead()
    readers.giveBack(context.currentReader)
  }

  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async -> Bool {
    (try? await services.slowLane.run(for: .unknown) { _ in work() }) != nil
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

  package func client(of context: RequestContext) -> RequestRecord.Client {
    // A request that signs out has no viewer any more.
    guard let viewer = context.viewer else { return context.client.map { .network($0.text) } ?? .unknown }
    return .person(services.cipher.text(of: viewer.member))
  }

  package func client(at address: String?) -> RequestRecord.Client {
    address.flatMap(ClientNetwork.init).map { .network($0.text) } ?? .unknown
  }

  package func steps(of context: RequestContext) -> [RequestRecord.Step] {
    context.statementTimes.map { RequestRecord.Step($0.sql, count: $0.count, nanoseconds: $0.nanoseconds) }
  }

  package func allowsMeasurement(_ context: RequestContext) -> Bool {
    guard let viewer = context.viewer else { return false }
    return switch requestTimes {
    case .nobody: false
    case .signedIn: true
    case .people(let ids): ids.contains(services.cipher.text(of: viewer.member))
    }
  }

  package func positionsOfEvents(of context: RequestContext) -> [String] {
    context.eventPositions.map(context.text(ofPosition:))
  }

  package func respond(to request: HTTPRequest) async -> HTTPResponse? {
    if let pages, let page = AccountPages.page(of: request) { return pages.response(page, to: request) }
    guard request.path.starts(with: "/media/".utf8) else { return nil }
    let client = address(of: request).flatMap { ClientNetwork($0) }
    return await Media.response(to: request, from: client, services.pictures, log: services.log)
  }

  package func respond(toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse? {
    guard let pages, let page = AccountPages.page(of: request) else { return nil }
    return await pages.response(page, toForm: request, execute)
  }

  package func streamedResponse(to request: HTTPRequest, on loop: EventLoop) -> StreamedResponse? {
    guard request.path.starts(with: "/export/".utf8) else { return nil }
    for stream in services.streams {
      if let response = stream(request, loop, services) { return response }
    }
    return nil
  }

  /// The context of a caller whose token this loop has not seen.
  private func context(
    for caller: Caller,
    token: ArraySlice<UInt8>,
    files: [UploadedFile]
  ) async throws -> RequestContext {
    let claims: (session: GlobalID, expiresAt: Int64)?
    do { claims = try await services.claims(of: token) } catch {
      throw (error as? DatabaseError).map(unavailability) ?? error
    }
    let reader = try takeReader()
    guard let claims else { return context(for: caller, nil, fault: .malformed, files, reader: reader) }
    guard claims.expiresAt > services.clock.now() else {
      return context(for: caller, nil, fault: .expired, files, reader: reader)
    }
    if !reader.answersAtOnce, let viewer = services.sessionViewers[claims.session] {
      let admission = sessions.admit(viewer, token: token, expiresAt: claims.expiresAt)
      return context(for: caller, admission, isRemembered: true, fault: nil, files, reader: reader)
    }
    do {
      guard let viewer = try await viewer(of: claims.session, from: reader) else {
        return context(for: caller, nil, fault: .revoked, files, reader: reader)
      }
      let admission = sessions.admit(viewer, token: token, expiresAt: claims.expiresAt)
      if !reader.answersAtOnce { services.sessionViewers.remember(viewer) }
      return context(for: caller, admission, fault: nil, files, reader: reader)
    } catch {
      readers.giveBack(reader)
      throw (error as? DatabaseError).map(unavailability) ?? error
    }
  }

  /// The viewer of a session; nil if it has ended. If the database is in another process, the request goes on in the
  /// same snapshot.
  private func viewer(of session: GlobalID, from reader: Reader) async throws -> Viewer? {
    let now = Timestamp(services.clock.now())
    while true {
      var seen = services.endedSessions.currentCount
      let viewer = try await reader.inPasses { try SessionCache.viewer(of: session, at: now, from: reader) }
      // The session can have ended, or its member moved, while this request waited for the answer. From here on there
      // is no suspension: what happens later is a change of `EndedSessions`, which drops the entry.
      let hasChanged = viewer != nil && services.endedSessions.hasChanged(session, since: &seen)
      if hasChanged || reader.answersAtOnce { reader.endRead() }
      if !hasChanged { return viewer }
    }
  }

  private func takeReader() throws -> Reader {
    do throws(DatabaseError) { return try readers.take() } catch { throw unavailability(for: error) }
  }

  /// The error of a request whose caller cannot be identified; `error` itself if it is an internal one.
  private func unavailability(for error: DatabaseError) -> any Error {
    guard let error = error.ofRead(services.outages) else { return error }
    return ServiceUnavailable(GraphQLError(ofRequest: error))
  }
}
