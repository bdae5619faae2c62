import Bytes
import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Storage

/// The product, as one loop serves it: its snapshot of the data, and the tokens it has seen.
package final class HearthService: GraphQLService {
  package let executable: ExecutableSchema
  package let isOpenToIntrospection: Bool
  private let services: Services
  private let types: KindTypes
  private var reader: Reader?
  private var sessions = SessionCache()
  private let slowCallers = SlowCallers()

  package init(_ services: Services, _ executable: ExecutableSchema) {
    self.services = services
    self.executable = executable
    types = KindTypes(executable.schema)
    isOpenToIntrospection = services.configuration.introspection == .everyone
  }

  package func knownContext(for caller: Caller) throws -> RequestContext? {
    try knownContext(for: caller, [])
  }

  private func knownContext(for caller: Caller, _ files: [UploadedFile]) throws -> RequestContext? {
    guard let authorization = caller.authorization else { return try context(for: caller, nil, nil, files) }
    guard let token = Self.bearerToken(in: authorization) else {
      return try context(for: caller, nil, .malformed, files)
    }
    guard let admission = sessions.admission(for: token, services) else { return nil }
    return try context(for: caller, admission, nil, files)
  }

  package func context(for caller: Caller, _ files: [UploadedFile]) async throws -> RequestContext {
    if let known = try knownContext(for: caller, files) { return known }
    guard let token = caller.authorization.flatMap(Self.bearerToken) else {
      return try context(for: caller, nil, .malformed, files)
    }
    let (admission, fault) = try await admit(token, try openReader())
    return try context(for: caller, admission, fault, files)
  }

  /// Behind a proxy the network is known with the head, and else at once. Requests of this machine are not limited:
  /// they may be anybody's, by way of a proxy.
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? {
    let address = services.configuration.clientAddressHeader == nil ? peer : request.flatMap { self.address(of: $0) }
    return address.flatMap { ClientNetwork($0) }.map { ByteOwner(.network, $0.lane.key) }
  }

  package func context(following context: RequestContext) throws -> RequestContext {
    RequestContext(
      following: context,
      reader: try openReader(),
      slowCallers: slowCallers
    )
  }

  package func standing(of context: RequestContext) -> Standing { context.standing }

  package func whenSessionsChange(_ body: @escaping @Sendable ([Int64], SessionChange) -> Void) {
    services.endedSessions.observe { body($0.map(\.rawValue), $1) }
  }

  private func context(
    for caller: Caller,
    _ admission: SessionCache.Admission?,
    _ fault: TokenFault?,
    _ files: [UploadedFile]
  ) throws -> RequestContext {
    RequestContext(
      services: services,
      reader: try openReader(),
      types: types,
      viewer: admission?.viewer,
      tokenFault: fault,
      tokenExpiresAt: admission?.expiresAt,
      caller: caller,
      files: files,
      slowCallers: slowCallers
    )
  }

  /// The last address in the header is the one that our own proxy has seen: those before it are what it was told.
  package func address(of request: HTTPRequest) -> String? {
    guard let header = services.configuration.clientAddressHeader else { return request.peer }
    var address: Substring?
    request.forEachHeader { name, value in
      // This runs for every request: text is made only of a name that can be the header's.
      guard name.count == header.utf8.count else { return }
      guard String(decoding: name, as: UTF8.self).lowercased() == header else { return }
      address = String(decoding: value, as: UTF8.self).split(separator: ",").last
    }
    return address.map(String.init)
  }

  package func refusalOfConnection(from address: String?) -> GraphQLError? {
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

  /// A member pays for themselves, and other callers for their network. Callers of this machine do not pay: they may be
  /// anybody, through a proxy.
  package func payer(of context: RequestContext) -> ByteOwner? {
    if let viewer = context.viewer { return ByteOwner(.person, UInt64(bitPattern: viewer.member.rawValue)) }
    return context.client.map { ByteOwner(.network, $0.lane.key) }
  }

  package func allowsIntrospection(_ context: RequestContext) -> Bool {
    isOpenToIntrospection || context.viewer != nil
  }

  package func finish(_ context: RequestContext) {
    context.rememberIfSlow()
    context.reader.endRead()
  }

  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async -> Bool {
    (try? await services.slowLane.run(for: .unknown) { _ in work() }) != nil
  }

  package func reasonNotReady() -> String? {
    if let reason = services.readiness.reason() { return reason }
    return (try? openReader()) == nil ? "the database cannot be opened" : nil
  }

  package func respond(to request: HTTPRequest) async -> HTTPResponse? {
    guard request.path.starts(with: "/media/".utf8) else { return nil }
    return await Media.response(to: request, services.pictures, log: services.log)
  }

  private func openReader() throws(DatabaseError) -> Reader {
    if let reader { return reader }
    let opened = try services.database.makeLoopReader()
    reader = opened
    return opened
  }

  private func admit(_ token: ArraySlice<UInt8>, _ reader: Reader) async throws -> (
    SessionCache.Admission?, TokenFault?
  ) {
    guard let claims = await services.tokens.verify(token) else { return (nil, .malformed) }
    guard claims.expiresAt > services.clock.now() else { return (nil, .expired) }
    let admission = try sessions.admit(
      token,
      session: claims.session,
      expiresAt: claims.expiresAt,
      reader,
      services
    )
    reader.endRead()
    return admission.map { ($0, nil) } ?? (nil, .revoked)
  }

  /// RFC 6750, section 2.1.
  private static func bearerToken(in authorization: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard authorization.count > 7, authorization.prefix(7).equalsIgnoringCase("bearer ") else { return nil }
    return authorization.dropFirst(7)
  }
}
