import Bytes
import GraphQL

/// What metrics and the request log say about the outcome of a request.
struct OperationSummary {
  let outcome: RequestOutcome
  /// The number of bytes of the response to an executed request; of the first part, if it is delivered in parts.
  let bytes: Int
  /// The errors of a request that was not executed.
  private let failures: [GraphQLError]
  private let errorCode: String?

  /// `OK`, or the code of the first error.
  var code: String { errorCode ?? "OK" }

  /// The number of bytes of the response, also to a request that was not executed. Such a response is written for this,
  /// so it is read only for requests that are logged or traced.
  var responseBytes: Int { failures.isEmpty ? bytes : ErrorResponse.bytes(failures).count }

  /// - Parameter readsCode: whether the code is read from a response with errors.
  init(_ result: borrowing OperationOutcome, readsCode: Bool) {
    var failures: [GraphQLError] = []
    switch result {
    case .response(let body):
      bytes = body.count
      let hasErrors = body.withUnsafeBytes { Self.hasErrors($0) }
      outcome = hasErrors ? .error : .ok
      errorCode = hasErrors && readsCode ? body.withUnsafeBytes { Self.firstCode(in: $0) } : nil
    case .kept(let held): (outcome, bytes, errorCode) = (.ok, held.response.count, nil)
    case .subscription: (outcome, bytes, errorCode) = (.ok, 0, nil)
    case .parts(let parts): (outcome, bytes, errorCode) = (.ok, parts.initialBytes, nil)
    case .failure(let failure):
      if case .internalError = failure { outcome = .failed } else { outcome = .rejected }
      bytes = 0
      failures = failure.errors
      errorCode = failures.first?.code.rawValue ?? ErrorCode.internalError.rawValue
    }
    self.failures = failures
  }

  /// Errors come after the data, so that a response with errors ends with their list: `]}`. Without errors it ends with
  /// the data, which is an object: `}}`.
  static func hasErrors(_ body: UnsafeRawBufferPointer) -> Bool {
    body.count > 2 && body[body.count - 2] == UInt8(ascii: "]")
  }

  /// Quotation marks within strings are escaped, so the last list of errors is that of the response.
  private static func firstCode(in body: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: body.suffix(maximumErrorBytes), as: UTF8.self)
    let errors = text.ranges(of: #""errors":[{"message":"#).last.map { text[$0.upperBound...] } ?? text[...]
    guard let code = errors.firstRange(of: #""extensions":{"code":""#)?.upperBound else { return "ERROR" }
    return String(errors[code...].prefix { $0 != "\"" })
  }

  /// The end of the response that is searched for the code.
  private static let maximumErrorBytes = 64 << 10
}
