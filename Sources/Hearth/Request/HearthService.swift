import Bytes
import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import Storage

/// The product, as one loop serves it: its snapshot of the data, and the tokens it has seen.
package final class HearthService: GraphQLService {
  package let executable: ExecutableSchema
  package let isOpenToIntrospection: Bool
  private let services: Services
  private let types: KindTypes
  private var reader: Reader?
  private var sessions = SessionCache()

  package init(_ services: Services, _ executable: ExecutableSchema) {
    self.services = services
    self.executable = executable
    types = KindTypes(executable.schema)
    isOpenToIntrospection = services.configuration.introspection == .everyone
  }

  package func knownContext(for request: HTTPRequest) throws -> RequestContext? {
    try knownContext(for: request, [])
  }

  private func knownContext(for request: HTTPRequest, _ files: [UploadedFile]) throws -> RequestContext? {
    guard let authorization = request[.authorization] else { return try context(for: request, nil, nil, files) }
    guard let token = Self.bearerToken(in: authorization) else {
      return try context(for: request, nil, .malformed, files)
    }
    guard let viewer = sessions.viewer(for: token, services) else { return nil }
    return try context(for: request, viewer, nil, files)
  }

  package func context(for request: HTTPRequest, _ files: [UploadedFile]) async throws -> RequestContext {
    let context = try await admittedContext(for: request, files)
    context.client = client(of: request)
    return context
  }

  private func admittedContext(for request: HTTPRequest, _ files: [UploadedFile]) async throws -> RequestContext {
    if let known = try knownContext(for: request, files) { return known }
    guard let token = request[.authorization].flatMap(Self.bearerToken) else {
      return try context(for: request, nil, .malformed, files)
    }
    let (viewer, fault) = try await admit(token, try openReader())
    return try context(for: request, viewer, fault, files)
  }

  package func admitsFiles(of request: HTTPRequest) async throws -> Bool {
    let context = try await context(for: request, [])
    defer { finish(context) }
    return context.viewer != nil
  }

  private func context(
    for request: HTTPRequest,
    _ viewer: Viewer?,
    _ fault: TokenFault?,
    _ files: [UploadedFile]
  ) throws -> RequestContext {
    RequestContext(
      services: services,
      reader: try openReader(),
      types: types,
      viewer: viewer,
      tokenFault: fault,
      host: request.host,
      files: files
    )
  }

  /// The last address in the header is the one that our own proxy has seen: those before it are what it was told.
  private func client(of request: HTTPRequest) -> ClientNetwork? {
    guard let header = services.configuration.clientAddressHeader else {
      return request.peer.flatMap(ClientNetwork.init)
    }
    var address: Substring?
    request.forEachHeader { name, value in
      guard String(decoding: name, as: UTF8.self).lowercased() == header else { return }
      address = String(decoding: value, as: UTF8.self).split(separator: ",").last
    }
    return address.flatMap { ClientNetwork(String($0)) }
  }

  package func allowsIntrospection(_ context: RequestContext) -> Bool {
    isOpenToIntrospection || context.viewer != nil
  }

  package func finish(_ context: RequestContext) { context.reader.endRead() }

  package func isReady() -> Bool { (try? openReader()) != nil }

  package func respond(to request: HTTPRequest) async -> HTTPResponse? {
    guard request.path.starts(with: "/media/".utf8) else { return nil }
    return await Media.response(to: request, services)
  }

  private func openReader() throws(DatabaseError) -> Reader {
    if let reader { return reader }
    let opened = try services.database.makeReader()
    reader = opened
    return opened
  }

  private func admit(_ token: ArraySlice<UInt8>, _ reader: Reader) async throws -> (Viewer?, TokenFault?) {
    guard let claims = await services.tokens.verify(token) else { return (nil, .malformed) }
    guard claims.expiresAt > services.clock.now() else { return (nil, .expired) }
    let viewer = try sessions.admit(
      token,
      session: claims.session,
      expiresAt: claims.expiresAt,
      reader,
      services
    )
    reader.endRead()
    return viewer.map { ($0, nil) } ?? (nil, .revoked)
  }

  /// RFC 6750, section 2.1.
  private static func bearerToken(in authorization: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard authorization.count > 7, authorization.prefix(7).equalsIgnoringCase("bearer ") else { return nil }
    return authorization.dropFirst(7)
  }
}
