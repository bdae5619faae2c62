import Bytes

extension HTTPResponse {
  /// A plain text response, for people with a terminal.
  package static func text(_ status: HTTPStatus, text: String, allow: String? = nil) -> HTTPResponse {
    var body = ByteBuffer(capacity: text.utf8.count)
    body.append(text)
    return HTTPResponse(status, headers: allow.map { plainText.adding(trusted: "Allow", $0) } ?? plainText, body: body)
  }

  /// A plain text response to a request that the client can repeat in a few seconds.
  package static func temporary(_ status: HTTPStatus, text: String) -> HTTPResponse {
    var body = ByteBuffer(capacity: text.utf8.count)
    body.append(text)
    return HTTPResponse(status, headers: temporaryText, body: body)
  }

  /// 302 Found (RFC 9110, section 15.4.3).
  package static func redirect(to path: String) -> HTTPResponse {
    HTTPResponse(.found, headers: HeaderBlock(trusted: ["Location": path, "Vary": "Accept"]))
  }

  /// The response to a rejected request: its code and message as plain text. Close the connection after it.
  package init(rejecting failure: HTTPFailure) {
    var body = ByteBuffer()
    body.append(failure.code)
    body.append(": ")
    body.append(failure.message)
    body.append("\n")
    self.init(failure.status, headers: Self.plainText, body: body)
  }

  /// The response to a request that exceeds a limit of the connection, or that arrives while the server shuts down: a
  /// code and a sentence as plain text. Close the connection after it.
  package init(closingWith status: HTTPStatus, text: StaticString) {
    var body = ByteBuffer()
    body.append(text)
    body.append("\n")
    let isTemporary = status == .tooManyRequests || status == .serviceUnavailable
    self.init(status, headers: isTemporary ? Self.temporaryText : Self.plainText, body: body)
  }

  private static let plainText = HeaderBlock(trusted: [
    "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
  ])
  /// Other requests release their bytes, and a server restarts, within seconds. The wait is that of `OVERLOADED`.
  private static let temporaryText = plainText.adding(trusted: "Retry-After", "5")
}
