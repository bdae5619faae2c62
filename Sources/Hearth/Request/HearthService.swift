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
  private let types: KindTypes
  private let readers: LoopReaders
  private var sessions = SessionCache()
  private let slowCallers = SlowCallers()
  private let metricsText: @Sendable () async -> String
  /// Nil if links in mails lead to the app.
  private let pages: AccountPages?

  /// - Parameter metrics: Returns the metrics of the server as a whole.
  package init(
    _ services: Services,
    _ executable: ExecutableSchema,
    on loop: EventLoop,
    metrics: @escaping @Sendable () async -> String = { "" }
  ) {
    self.services = services
    metricsText = metrics
    let configuration = services.configuration
    pages =
      configuration.appURL == nil
      ? AccountPages(appName: configuration.appName, registrationRequires: configuration.registrationRequires) : nil
    self.executable = executable
    readers = services.database.makeLoopReaders(on: loop)
    types = KindTypes(executable.schema)
    isIntrospectionPublic = services.configuration.introspection == .everyone
  }

  /// Closes the connections to the database. Must be called on the thread of the loop, before the loop ends.
  func close() { readers.close() }

  package func knownContext(for caller: Caller) throws -> RequestContext? {
    try knownContext(for: caller, [])
  }

  private func knownContext(for caller: Caller, _ files: [UploadedFile]) throws -> RequestContext? {
    guard let authorization = caller.authorization else {
      return try context(for: caller, admission: nil, fault: nil, files: files)
    }
    guard let token = Self.bearerToken(in: authorization) else {
      return try context(for: caller, admission: nil, fault: .malformed, files: files)
    }
    guard let admission = sessions.admission(for: token, services) else { return nil }
    return try context(for: caller, admission: admission, fault: nil, files: files)
  }

  package func context(for caller: Caller, _ files: [UploadedFile]) async throws -> RequestContext {
    if let known = try knownContext(for: caller, files) { return known }
    guard let token = caller.authorization.flatMap(Self.bearerToken) else {
      return try context(for: caller, admission: nil, fault: .malformed, files: files)
    }
    let (admission, fault) = try await admit(token)
    return try context(for: caller, admission: admission, fault: fault, files: files)
  }

  /// Behind a proxy the network is known once the headers are read, otherwise when the connection is accepted. Requests
  /// from this machine are not limited, because they may come from a proxy for any client.
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? {
    let address = services.configuration.clientAddressHeader == nil ? peer : request.flatMap { self.address(of: $0) }
    return address.flatMap { ClientNetwork($0) }.map { ByteOwner(.network, $0.lane.key) }
  }

  package func context(following context: RequestContext) throws -> RequestContext {
    RequestContext(
      following: context,
      reader: try readers.take(),
      slowCallers: slowCallers
    )
  }

  package func identity(of context: RequestContext) -> ConnectionIdentity { context.identity }

  package func position(of context: RequestContext) throws -> String? {
    guard context.viewer != nil else { return nil }
    return context.text(ofPosition: try FeedPosition.latest(context))
  }

  package func whenSessionsChange(_ body: @escaping @Sendable ([Int64], SessionChange) -> Void) {
    services.endedSessions.observe { body($0.map(\.rawValue), $1) }
  }

  private func context(
    for caller: Caller,
    admission: SessionCache.Admission?,
    fault: TokenFault?,
    files: [UploadedFile]
  ) throws -> RequestContext {
    RequestContext(
      services: services,
      reader: try readers.take(),
      types: types,
      viewer: admission?.viewer,
      tokenFault: fault,
      tokenExpiresAt: admission?.expiresAt,
      caller: caller,
      files: files,
      slowCallers: slowCallers
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
    let error = FieldError.rateLimited(for: wait)
    return GraphQLError(error.message, code: error.code, retryAfter: error.retryAfter)
  }

  package func errorOfIntrospection(by context: RequestContext) -> GraphQLError? {
    let caller = RateLimits.Caller(network: context.client)
    guard let wait = services.rateLimits.take(.introspection, by: caller, at: context.now) else { return nil }
    let error = FieldError.rateLimited(for: wait)
    return GraphQLError(error.message, code: error.code, retryAfter: error.retryAfter)
  }

  /// Request bodies count against the member, or for other callers against the network. Requests from this machine do
  /// not count, because they may come from a proxy for any client.
  package func payer(of context: RequestContext) -> ByteOwner? {
    if let viewer = context.viewer { return ByteOwner(.person, UInt64(bitPattern: viewer.member.rawValue)) }
    return context.client.map { ByteOwner(.network, $0.lane.key) }
  }

  package func allowsIntrospection(_ context: RequestContext) -> Bool {
    isIntrospectionPublic || context.viewer != nil
  }

  package func firstResponse(to request: IdempotentRequest, _ context: RequestContext) async throws -> [UInt8]? {
    try await context.firstResponse(to: request)
  }

  package func keep(_ response: [UInt8]?, of request: IdempotentRequest, _ context: RequestContext) async {
    await context.keep(response)
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

  package func metrics() async -> String { await metricsText() }

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

  package func respond(to request: HTTPRequest) async -> HTTPResponse? {
    if let pages, let page = AccountPages.page(of: request) { return pages.response(page, to: request) }
    guard request.path.starts(with: "/media/".utf8) else { return nil }
    return await Media.response(to: request, services.pictures, log: services.log)
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

  private func admit(_ token: ArraySlice<UInt8>) async throws -> (SessionCache.Admission?, TokenFault?) {
    guard let claims = await services.tokens.verify(token) else { return (nil, .malformed) }
    guard claims.expiresAt > services.clock.now() else { return (nil, .expired) }
    let reader = try readers.take()
    defer { readers.giveBack(reader) }
    let now = Timestamp(services.clock.now())
    while true {
      var seen = services.endedSessions.currentCount
      let viewer = try await reader.inPasses { try SessionCache.viewer(of: claims.session, at: now, reader) }
      guard let viewer else { return (nil, .revoked) }
      // The session can have ended, or its member moved, while this request waited for the answer. From here on there
      // is no suspension: what happens later is a change of `EndedSessions`, which drops the entry.
      if services.endedSessions.hasChanged(claims.session, since: &seen) {
        reader.endRead()
        continue
      }
      return (sessions.admit(viewer, token, expiresAt: claims.expiresAt), nil)
    }
  }

  /// RFC 6750, section 2.1.
  private static func bearerToken(in authorization: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard authorization.count > 7, authorization.prefix(7).equalsIgnoringCase("bearer ") else { return nil }
    return authorization.dropFirst(7)
  }
}
