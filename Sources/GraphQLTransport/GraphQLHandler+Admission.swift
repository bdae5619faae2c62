import GraphQL
import HTTP
import HTTPServer

/// Decides whether a long body is admitted, and which client is charged for received bytes.
extension GraphQLHandler {
  /// Long bodies are only read from callers with a valid access token.
  package func admit(_ request: HTTPRequest) async -> BodyAdmission {
    guard let format = WantedResponse(acceptedBy: request)?.errorFormat else {
      return .rejected(Rejection.notAcceptable)
    }
    let isForm = request.form != nil
    guard request.method == .post, request.hasPath(endpoint) || request.hasPath(validationPath) else {
      return .rejected(
        isForm ? Rejection.unsupportedMediaType(in: format) : rejection(of: request, tokenError: nil, in: format)
      )
    }
    guard request.isJSON || isForm && request.hasPath(endpoint) else {
      return .rejected(Rejection.unsupportedMediaType(in: format))
    }
    if isForm && !request.hasPreflightHeader { return .rejected(Rejection.noPreflightHeader(in: format)) }
    do {
      let context = try await service.context(for: Caller(request, keepsRequest: Service.keepsRequest))
      defer { service.finish(context) }
      let identity = service.identity(of: context)
      guard identity.session != nil else {
        return .rejected(rejection(of: request, tokenError: identity.error, in: format))
      }
      return .admitted(identity.person.map { Payer(person: $0) })
    } catch let unavailable as ServiceUnavailable {
      return .rejected(Rejection.notExecuted(.unavailable(unavailable.error), in: format))
    } catch {
      options.metrics.count(.failure)
      return .rejected(Rejection.notExecuted(.internalError, in: format))
    }
  }

  /// The body is not read, but pages of allowed origins can read the reason.
  private func rejection(of request: HTTPRequest, tokenError: GraphQLError?, in format: ResponseFormat) -> HTTPResponse
  {
    let rejection =
      request.form == nil
      ? Rejection.bodyTooLong(limit: options.unadmittedBytes, tokenError: tokenError, in: format)
      : Rejection.signedInOnly(in: format)
    return options.crossOrigin.allowing(rejection, to: request)
  }

  package nonisolated func rejection(of request: HTTPRequest, for failure: HTTPFailure) -> HTTPResponse {
    let format = WantedResponse(acceptedBy: request)?.errorFormat ?? .json
    return options.crossOrigin.allowing(Rejection.bodyTooLong(failure, in: format), to: request)
  }

  package func network(of request: HTTPRequest?, peer: String?) -> Payer? {
    service.network(of: request, peer: peer)
  }
}
