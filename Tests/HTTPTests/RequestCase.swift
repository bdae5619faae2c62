import Testing

/// A request and its expected outcome: `METHOD target 'body'` for each request, `status CODE` for a rejection,
/// nothing while more bytes are waited for.
struct RequestCase: CustomTestStringConvertible {
  let sent: [UInt8]
  let expected: [String]
  let testDescription: String

  init(_ description: String, _ sent: String, _ expected: String...) {
    self.init(description, bytes: Array(sent.utf8), expected)
  }

  init(_ description: String, bytes: [UInt8], _ expected: [String]) {
    testDescription = description
    sent = bytes
    self.expected = expected
  }

  /// A POST to `a` with these header lines besides.
  static func headers(_ description: String, _ headers: String, _ outcome: String) -> RequestCase {
    RequestCase(description, "POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n", outcome)
  }

  static func requestLine(_ description: String, _ line: String, _ outcome: String) -> RequestCase {
    RequestCase(description, "\(line)\r\nHost: a\r\n\r\n", outcome)
  }

  static func host(_ description: String, _ value: String, _ outcome: String) -> RequestCase {
    RequestCase(description, "GET / HTTP/1.1\r\nHost:\(value)\r\n\r\n", outcome)
  }

  static func chunked(_ description: String, _ body: String, _ outcome: String...) -> RequestCase {
    let sent = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
    return RequestCase(description, bytes: Array(sent.utf8), outcome)
  }

  static let all = requestLines + targets + lineEnds + headerLines + hosts + framing + chunks + sequences
}
