import Bytes
import HTTP

/// A large response that is compressed on a worker thread.
///
/// `@unchecked Sendable`: the handler waits for the worker and does not access the response until it is done.
final class LargeResponse: @unchecked Sendable {
  private let request: HTTPRequest
  private let format: ResponseFormat
  private let report: RequestMeasurement.Report?
  /// The size of the response before it is compressed.
  let byteCount: Int
  private var body: ByteBuffer?
  private var response: HTTPResponse?

  init(
    _ body: consuming ByteBuffer,
    to request: HTTPRequest,
    in format: ResponseFormat,
    report: RequestMeasurement.Report?
  ) {
    self.report = report
    self.request = request
    self.format = format
    byteCount = body.count
    self.body = consume body
  }

  func finish() {
    guard let body = body.take() else { return }
    response = format.answer(body, to: request, compressedBy: GzipCompressor(.fast), report: report)
  }

  /// The response; without compression and entity tag if the worker did not run.
  func takeResponse() -> HTTPResponse {
    if let response = response.take() { return response }
    return format.plainAnswer(body.take() ?? ByteBuffer(), report: report)
  }
}
