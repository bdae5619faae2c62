import Bytes

/// A complete response with its body.
package struct HTTPResponse: ~Copyable, Sendable {
  package var status: HTTPStatus
  package var headers: HeaderBlock
  package let body: ResponseBody

  package init(_ status: HTTPStatus, headers: HeaderBlock = HeaderBlock(), body: consuming ByteBuffer = ByteBuffer()) {
    self.status = status
    self.headers = headers
    self.body = .own(body)
  }

  package init(_ status: HTTPStatus, headers: HeaderBlock, sharedBody: [UInt8]) {
    self.status = status
    self.headers = headers
    body = .shared(sharedBody)
  }

  /// The body alone, without copying it if it is the response's own.
  package consuming func takeBody() -> ByteBuffer { body.take() }

  /// The response to a rejected request: its code and message as plain text. Close the connection after it.
  package init(rejecting failure: HTTPFailure) {
    var body = ByteBuffer()
    body.append(failure.code)
    body.append(": ")
    body.append(failure.message)
    body.append("\n")
    self.init(failure.status, headers: Self.plainText, body: body)
  }

  private static let plainText: HeaderBlock = {
    do throws(HeaderBlockError) {
      return try HeaderBlock(["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
    } catch {
      preconditionFailure(error.description)
    }
  }()
}
