import GraphQLEngine
import GraphQLTransport
import HTTP

/// The routes of the application beside the endpoint.
extension ResolverService {
  func route(of request: HTTPRequest) -> ResourceRoute? {
    guard !routes.isEmpty, let methods = routes.methods(at: request.path) else { return nil }
    let list = methods.list
    guard let route = methods[request.methodText] else {
      return ResourceRoute(methods: list, bodyBytes: nil) { request in
        request.method == .options
          ? HTTPResponse(.noContent, headers: HeaderBlock(trusted: ["Allow": list]))
          : .text(.methodNotAllowed, text: "The methods of this path are \(list).\n", allow: list)
      }
    }
    return ResourceRoute(methods: list, bodyBytes: route.bodyBytes ?? bodyBytes) { [onError, mutations] request in
      await route.response(to: RouteRequest(request), mutations: mutations, onError: onError)
    }
  }
}

extension ServerRoute {
  fileprivate func response(
    to request: RouteRequest,
    mutations: MutationTasks,
    onError: ErrorHandler
  ) async -> HTTPResponse {
    do {
      // What changes data is finished after the client has disconnected, as a mutation is.
      let response =
        request.isReadOnly
        ? try await respond(request)
        : try await mutations.run { try await respond(request) }
      return try response.httpResponse()
    } catch {
      if let rejection = CallerRejection(showing: error) { return rejection.response }
      // The client has ended its connection.
      if !(error is CancellationError && Task.isCancelled) { onError(error, name) }
      return .text(.internalServerError, text: "Something went wrong on our side.\n")
    }
  }
}

extension RouteRequest {
  /// Whether the method only reads (RFC 9110, section 9.2.1).
  fileprivate var isReadOnly: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }
}

extension CallerRejection {
  /// Nil for an error that clients must not see.
  init?(showing error: any Error) {
    guard let error = GraphQLEngine.GraphQLError(showing: error) else { return nil }
    self.init(error.requestError)
  }
}
