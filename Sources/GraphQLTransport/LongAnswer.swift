import Bytes
import HTTP

/// A long response on its way to another thread and back.
///
/// `@unchecked Sendable`: the handler waits while the other thread has it, and touches nothing of it until then.
final class LongAnswer: @unchecked Sendable {
  private let request: HTTPRequest
  private let format: ResponseFormat
  private var body: ByteBuffer?
  private var response: HTTPResponse?

  init(_ body: consuming ByteBuffer, to request: HTTPRequest, _ format: ResponseFormat) {
    self.request = request
    self.format = format
    self.body = consume body
  }

  func finish() {
    guard let body = body.take() else { return }
    response = format.answer(body, to: request)
  }

  /// The response, or the body as it is where it was not finished.
  func takeResponse() -> HTTPResponse {
    if let response = response.take() { return response }
    return HTTPResponse(.ok, headers: format.headers, body: body.take() ?? ByteBuffer())
  }
}
