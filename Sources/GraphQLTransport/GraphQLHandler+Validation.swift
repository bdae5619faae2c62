import Bytes
import GraphQL
import HTTP
import HTTPServer

/// Validates a request without executing it, for editors that show errors as the user types. The body has the same form
/// as for the endpoint. The response contains the errors, or none if the request would be executed.
extension GraphQLHandler {
  func validate(_ request: HTTPRequest) -> HTTPAnswer {
    guard request.method == .post else { return .response(Rejection.onlyPost) }
    guard let format = ResponseFormat.preferred(by: request) else { return .response(Rejection.jsonNotAcceptable) }
    guard request.isJSON else { return .response(Rejection.unsupportedMediaType(in: format)) }
    return answerOperation(request, as: WantedResponse(format), purpose: .validation)
  }
}

extension Rejection {
  /// The errors of a validated request; empty if it can be executed.
  static func validated(_ errors: consuming ByteBuffer, report: RequestMeasurement.Report? = nil) -> HTTPResponse {
    if let report { errors.append(extensions: report.extensions) }
    return HTTPResponse(.ok, headers: ResponseFormat.json.headers, body: errors)
  }
}
