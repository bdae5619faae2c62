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

  /// A response to HEAD whose body is not made.
  ///
  /// - Parameter count: the number of bytes of the body in the response to GET.
  package init(_ status: HTTPStatus, headers: HeaderBlock, omittedBody count: Int) {
    self.status = status
    self.headers = headers
    body = .omitted(count: count)
  }

  /// The body alone, without copying it if it is the response's own.
  package consuming func takeBody() -> ByteBuffer { body.take() }
}
