import GraphQL
import HTTP
import HTTPServer

/// Who may send a long body, and who is charged for what is received.
extension GraphQLHandler {
  /// Long bodies are read for callers with a valid access token only.
  package func admit(_ request: HTTPRequest) async -> BodyAdmission {
    let preferred = ResponseFormat.preferred(by: request) ?? (ResponseFormat.takesEventStream(request) ? .json : nil)
    guard let format = preferred else { return .rejected(Refusal.notAcceptable) }
    let isForm = request.form != nil
    guard request.method == .post, request.path.equals(endpoint) || request.path.equals(validationPath) else {
      return .rejected(isForm ? Refusal.unsupportedMediaType(format) : refusal(of: request, nil, format))
    }
    guard request.isJSON || isForm && request.path.equals(endpoint) else {
      return .rejected(Refusal.unsupportedMediaType(format))
    }
    if isForm && !request.hasPreflightHeader { return .rejected(Refusal.noPreflightHeader(format)) }
    do {
      let context = try await service.context(for: Caller(request, keepsRequest: Service.keepsRequest))
      defer { service.finish(context) }
      let standing = service.standing(of: context)
      guard standing.session != nil else { return .rejected(refusal(of: request, standing.fault, format)) }
      return .admitted(standing.person.map { ByteOwner(person: $0) })
    } catch {
      metrics.count(.failure)
      return .rejected(Refusal.notExecuted(.internalError, format))
    }
  }

  /// The body is read by nobody, but pages of allowed origins may read why.
  private func refusal(of request: HTTPRequest, _ fault: GraphQLError?, _ format: ResponseFormat) -> HTTPResponse {
    let refusal =
      request.form == nil
      ? Refusal.bodyTooLong(limit: unadmittedBytes, fault, format) : Refusal.signedInOnly(format)
    return crossOrigin.allowing(refusal, to: request)
  }

  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? {
    service.network(of: request, peer: peer)
  }
}

extension ByteOwner {
  init(person: Int64) { self.init(.person, UInt64(bitPattern: person)) }
}
