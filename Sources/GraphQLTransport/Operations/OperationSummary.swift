import Bytes
import GraphQL

/// What metrics and the request log say about the outcome of a request.
struct OperationSummary {
  let outcome: RequestOutcome
  /// The number of bytes of the response; 0 if it is delivered in parts. That of a request that was not executed is
  /// only known if its code is read.
  let bytes: Int
  private let errorCode: String?

  /// `OK`, or the code of the first error.
  var code: String { errorCode ?? "OK" }

  /// - Parameter readsCode: whether the code is read from a response with errors: it is logged or traced.
  init(_ result: borrowing OperationOutcome, readsCode: Bool) {
    switch result {
    case .response(let body):
      bytes = body.count
      let hasErrors = body.withUnsafeBytes { Self.hasErrors($0) }
      outcome = hasErrors ? .error : .ok
      errorCode = hasErrors && readsCode ? body.withUnsafeBytes { Self.firstCode(in: $0) } : nil
    case .kept(let held): (outcome, bytes, errorCode) = (.ok, held.response.count, nil)
    case .subscription: (outcome, bytes, errorCode) = (.ok, 0, nil)
    case .parts: (outcome, bytes, errorCode) = (.ok, 0, nil)
    case .failure(let failure):
      if case .internalError = failure { outcome = .failed } else { outcome = .rejected }
      bytes = readsCode ? ErrorResponse.bytes(failure.errors).count : 0
      errorCode = failure.errors.first?.code.rawValue ?? ErrorCode.internalError.rawValue
    }
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
