import EventLoop
import GraphQL
import HTTP
import HTTPServer

/// Decides whether a long body is admitted, and which client is charged for received bytes.
extension GraphQLHandler {
  package func admit(_ request: HTTPRequest) async -> BodyAdmission {
    switch await decide(on: request) {
    case .admitted(let payer): .admitted(payer)
    // The body is not read, but pages of allowed origins can read the reason.
    case .rejected(let response): .rejected(options.crossOrigin.allowing(response, to: request))
    }
  }

  /// Long bodies are only read from callers with a valid access token, and by routes that accept them.
  private func decide(on request: HTTPRequest) async -> BodyAdmission {
    let isEndpoint = request.hasPath(endpoint)
    if !isEndpoint, let route = service.route(of: request) {
      guard let limit = route.bodyBytes else { return .rejected(await route.respond(request)) }
      // A body whose length is not declared is compared with the limit once it is read.
      let isTooLong = request.contentLength ?? 0 > limit
      return isTooLong ? .rejected(bodyTooLong(request, limit: limit)) : .admitted(nil)
    }
    guard isEndpoint || request.hasPath(validationPath) else { return .rejected(await rejectionElsewhere(of: request)) }
    guard options.admitsLongBodies else { return .rejected(bodyTooLongForEverybody(request)) }
    switch request.method {
    case .post: break
    case .other where isEndpoint: return .rejected(Rejection.unknownMethod(request))
    case .get, .head, .options, .other:
      return .rejected(isEndpoint ? bodyTooLongForEverybody(request) : Rejection.onlyPost)
    }
    guard let format = WantedResponse(acceptedBy: request)?.singleFormat else {
      return .rejected(Rejection.notAcceptable)
    }
    let isForm = request.form != nil
    guard request.isJSON || isForm && isEndpoint else {
      return .rejected(Rejection.unsupportedMediaType(in: format))
    }
    if isForm && !request.hasPreflightHeader { return .rejected(Rejection.noPreflightHeader(in: format)) }
    do {
      let context = try await service.context(for: caller(of: request))
      defer { service.finish(context) }
      let tokenError: GraphQLError?
      switch service.identity(of: context) {
      case .signedIn(let session): return .admitted(Payer(person: session.person))
      case .anonymous: tokenError = nil
      case .rejected(let error): tokenError = error
      }
      return .rejected(
        isForm
          ? Rejection.signedInOnly(tokenError: tokenError, in: format)
          : Rejection.bodyTooLong(limit: options.unadmittedBytes, tokenError: tokenError, in: format)
      )
    } catch {
      return .rejected(Rejection.notExecuted(runner.failure(for: error), in: format))
    }
  }

  /// Rejects a long body to a path without GraphQL, as a short one if the path has no resource, or one without a form.
  private func rejectionElsewhere(of request: HTTPRequest) async -> HTTPResponse {
    if request.method == .get || request.method == .head { return bodyTooLongForEverybody(request) }
    let response = await rejectWrite(request)
    if response.status == .methodNotAllowed, request.isFormOfPage { return bodyTooLongForEverybody(request) }
    return response
  }

  private nonisolated func bodyTooLongForEverybody(_ request: HTTPRequest) -> HTTPResponse {
    bodyTooLong(request, limit: options.unadmittedBytes)
  }

  nonisolated func bodyTooLong(_ request: HTTPRequest, limit: Int) -> HTTPResponse {
    bodyTooLong(request, for: HTTPFailure(.bodyTooLong, limit: limit))
  }

  package nonisolated func rejection(of request: HTTPRequest, for failure: HTTPFailure) -> HTTPResponse {
    let limit = options.admitsLongBodies ? nil : assumeOnLoop { $0.bodyLimit(of: request) }
    let response = limit.map { bodyTooLong(request, limit: $0) } ?? bodyTooLong(request, for: failure)
    return options.crossOrigin.allowing(response, to: request)
  }

  /// The limit of the request's path, which can be lower than that of the server as a whole; nil if it has none.
  private func bodyLimit(of request: HTTPRequest) -> Int? {
    let isGraphQL = request.hasPath(endpoint) || request.hasPath(validationPath)
    return isGraphQL ? options.unadmittedBytes : service.route(of: request)?.bodyBytes
  }

  private nonisolated func bodyTooLong(_ request: HTTPRequest, for failure: HTTPFailure) -> HTTPResponse {
    Rejection.bodyTooLong(failure, in: WantedResponse(acceptedBy: request)?.singleFormat ?? .json)
  }

  package func network(of request: HTTPRequest?, peer: String?) -> Payer? {
    service.network(of: request, peer: peer)
  }
}
