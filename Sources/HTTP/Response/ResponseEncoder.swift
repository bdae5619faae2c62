import Bytes

/// Encodes responses (RFC 9112, section 4). Create one for each request, which determines how its response is encoded.
package struct ResponseEncoder: Sendable {
  /// A response to HEAD declares the length of the body and omits it.
  private let isHead: Bool
  private let version: HTTPVersion
  /// Whether the connection stays open after the response. The response declares it, and the server must comply.
  package var keepAlive: Bool
  /// The value of the Date header, if any. A server with a clock must send one (RFC 9110, section 6.6.1).
  package var date: HTTPDate?

  /// The connection stays open if the client allows it. Set `keepAlive` to false to close it regardless.
  package init(answering request: borrowing HTTPRequest, date: HTTPDate? = nil) {
    isHead = request.method == .head
    version = request.version
    keepAlive = request.keepAlive
    self.date = date
  }

  /// For the response to invalid input: the connection is closed after it.
  package init(closingWith date: HTTPDate? = nil) {
    isHead = false
    version = .http11
    keepAlive = false
    self.date = date
  }

  /// Appends the complete response to `output`.
  package func encode(_ response: borrowing HTTPResponse, into output: inout ByteBuffer) {
    let (sendsBody, count) = (sendsBody(of: response.status), response.body.count)
    output.reserve((sendsBody ? count : 0) &+ response.headers.bytes.count &+ 192)
    encodeHead(response.status, headers: response.headers, contentLength: count, into: &output)
    if sendsBody { response.body.append(to: &output) }
  }

  /// Whether the response has a body. A response to HEAD has none.
  package func sendsBody(of status: HTTPStatus) -> Bool { !isHead && status.allowsBody }

  /// Appends everything before the body, for a body that is sent from its own memory.
  package func encodeHead(
    _ status: HTTPStatus,
    headers: HeaderBlock,
    contentLength: Int,
    into output: inout ByteBuffer
  ) {
    encodeStatus(status, headers: headers, into: &output)
    // This status has the header Upgrade, which concerns the connection alone (RFC 9110, sections 7.8 and 15.5.22).
    // The options of two lines are one list.
    if status == .upgradeRequired { output.append("Connection: Upgrade\r\n") }
    if status.allowsBody {
      output.append("Content-Length: ")
      output.append(decimal: Int64(contentLength))
      output.append("\r\n")
    }
    encodeEnd(into: &output)
  }

  /// Appends everything before a body of unknown length. Returns true if the body must be sent in chunks
  /// (`append(chunk:)`), and false if it is sent as is and ends with the connection, as in HTTP/1.0.
  package func encodeStreamHead(
    _ status: HTTPStatus,
    headers: HeaderBlock,
    into output: inout ByteBuffer
  ) -> Bool {
    encodeStatus(status, headers: headers, into: &output)
    if version == .http11 { output.append("Transfer-Encoding: chunked\r\n") }
    encodeEnd(into: &output)
    return version == .http11
  }

  private func encodeStatus(_ status: HTTPStatus, headers: HeaderBlock, into output: inout ByteBuffer) {
    if status == .ok {
      output.append("HTTP/1.1 200 OK")
    } else {
      output.append("HTTP/1.1 ")
      output.append(decimal: Int64(status.code))
      output.append(" ")
      output.append(status.reasonPhrase)
    }
    // Keeps browsers from interpreting a response as another type than its own.
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

  /// Appends the interim response that a client with `Expect: 100-continue` waits for.
  package static func encodeContinue(into output: inout ByteBuffer) {
    output.append("HTTP/1.1 100 Continue\r\n\r\n")
  }

  /// Appends `101 Switching Protocols`. `headers` must name the protocol in Upgrade. The bytes that follow are not
  /// HTTP.
  package static func encodeUpgrade(_ headers: HeaderBlock, into output: inout ByteBuffer) {
    output.append("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n")
    output.append(headers.bytes)
    output.append("\r\n")
  }
}
