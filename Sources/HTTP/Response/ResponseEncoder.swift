import Bytes

/// Writes answers as bytes (RFC 9112, section 4). Made for one request: how its answer is written depends on it.
package struct ResponseEncoder: Sendable {
  /// An answer to HEAD says how long its body would be, and leaves it out.
  private let isHead: Bool
  private let version: HTTPVersion
  /// Whether the connection stays open after the answer. The client must be told, and the server must do as it says.
  package var keepAlive: Bool
  /// The time to give the answer, if any. A server with a clock must give one (RFC 9110, section 6.6.1).
  package var date: HTTPDate?

  /// The connection stays open if the client lets it; set `keepAlive` to false to end it nevertheless.
  package init(answering request: borrowing HTTPRequest, date: HTTPDate? = nil) {
    isHead = request.method == .head
    version = request.version
    keepAlive = request.keepAlive
    self.date = date
  }

  /// For the answer to what was no request: the connection is closed after it.
  package init(closingWith date: HTTPDate? = nil) {
    isHead = false
    version = .http11
    keepAlive = false
    self.date = date
  }

  /// Appends the whole answer to `output`.
  package func encode(_ response: borrowing HTTPResponse, into output: inout ByteBuffer) {
    output.reserve(response.body.count &+ response.headers.bytes.count &+ 192)
    encodeHead(response.status, response.headers, contentLength: response.body.count, into: &output)
    if !isHead && response.status.allowsBody { output.append(response.body) }
  }

  /// Appends everything before the body, for a body that is sent from where it is.
  package func encodeHead(
    _ status: HTTPStatus,
    _ headers: HeaderBlock,
    contentLength: Int,
    into output: inout ByteBuffer
  ) {
    encodeStatus(status, headers, into: &output)
    if status.allowsBody {
      output.append("Content-Length: ")
      output.append(decimal: Int64(contentLength))
      output.append("\r\n")
    }
    encodeEnd(into: &output)
  }

  /// Appends everything before a body of unknown length. True where it has to be sent in chunks (`append(chunk:)`);
  /// false where it is sent as it is and ends with the connection, as HTTP/1.0 has it.
  package func encodeStreamHead(
    _ status: HTTPStatus,
    _ headers: HeaderBlock,
    into output: inout ByteBuffer
  ) -> Bool {
    encodeStatus(status, headers, into: &output)
    if version == .http11 { output.append("Transfer-Encoding: chunked\r\n") }
    encodeEnd(into: &output)
    return version == .http11
  }

  private func encodeStatus(_ status: HTTPStatus, _ headers: HeaderBlock, into output: inout ByteBuffer) {
    output.append("HTTP/1.1 ")
    output.append(decimal: Int64(status.code))
    output.append(" ")
    output.append(status.reasonPhrase)
    // Browsers must not take a response for another type than its own.
    output.append("\r\nX-Content-Type-Options: nosniff\r\n")
    output.append(headers.bytes)
  }

  private func encodeEnd(into output: inout ByteBuffer) {
    if !keepAlive {
      output.append("Connection: close\r\n")
    } else if version == .http10 {
      output.append("Connection: keep-alive\r\n")
    }
    if let date { date.appendHeaderLine(to: &output) }
    output.append("\r\n")
  }

  /// Appends the interim answer for which a client waits that sent `Expect: 100-continue`.
  package static func encodeContinue(into output: inout ByteBuffer) {
    output.append("HTTP/1.1 100 Continue\r\n\r\n")
  }

  /// Appends `101 Switching Protocols`; `headers` must say which in Upgrade. What follows is not HTTP.
  package static func encodeUpgrade(_ headers: HeaderBlock, into output: inout ByteBuffer) {
    output.append("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n")
    output.append(headers.bytes)
    output.append("\r\n")
  }
}
