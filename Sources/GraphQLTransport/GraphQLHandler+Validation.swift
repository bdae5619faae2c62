import Bytes
import HTTP
import HTTPServer

/// What is wrong with a request, said without executing anything of it: for editors that underline faults while one
/// types. The body is that of a request to the endpoint; the answer is its errors, none where it would be executed.
extension GraphQLHandler {
  func validate(_ request: HTTPRequest) -> HTTPAnswer {
    guard request.method == .post else { return .response(Refusal.onlyPost) }
    guard let format = ResponseFormat.preferred(by: request) else { return .response(Refusal.notAcceptable) }
    guard request.isJSON else { return .response(Refusal.unsupportedMediaType(format)) }
    var wanted = WantedResponse(format)
    wanted.isValidation = true
    return answerOperation(request, wanted)
  }
}

extension Refusal {
  /// The errors of a request that was validated, none where it can be executed.
  static func validated(_ errors: consuming ByteBuffer) -> HTTPResponse {
    HTTPResponse(.ok, headers: ResponseFormat.json.headers, body: errors)
  }
}
