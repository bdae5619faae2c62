import HTTP

/// The response of a route of the application: see `GraphQLServerOptions.route(_:_:bodyBytes:_:)`.
///
/// A response that cannot be sent is reported to `GraphQLServerOptions.onError`, and the client gets status 500: one
/// with a status out of range, or with a header whose name or value is not valid, as one with a line break.
public struct RouteResponse: Sendable {
  /// The status code, from 200 to 599.
  public var status: Int

  /// The headers in the order in which they are sent. A name can occur several times, as `Set-Cookie`. The server
  /// writes `Content-Length`, `Transfer-Encoding`, `Connection`, `Date` and `X-Content-Type-Options` itself: they
  /// cannot be here.
  public var headers: [(name: String, value: String)]

  /// The bytes of the body, which is not sent with status 204, 205 or 304. They are sent as they are, without
  /// compression.
  public var body: [UInt8]

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - status: The status code, from 200 to 599.
  ///   - headers: The headers, such as `["Content-Type": "image/png"]`.
  ///   - body: The bytes of the body.
  public init(_ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers.map { (name: $0.key, value: $0.value) }
    self.body = body
  }

  /// Creates a response of text.
  ///
  /// - Parameters:
  ///   - status: The status code, from 200 to 599.
  ///   - text: The body, sent as UTF-8.
  ///   - contentType: The media type.
  public init(_ status: Int = 200, text: String, contentType: String = "text/plain; charset=utf-8") {
    self.init(status, headers: ["Content-Type": contentType], body: Array(text.utf8))
  }

  /// - Throws: An error for the application if the response cannot be sent.
  func httpResponse() throws -> HTTPResponse {
    guard let code = UInt16(exactly: status), (200...599).contains(code) else {
      throw UnsuitableStatus(status: status)
    }
    var block = HeaderBlock()
    for (name, value) in headers { try block.append(name, value: value) }
    // Unlike 204 and 304, 205 states the length of its content: 0 (RFC 9110, section 15.3.6).
    return HTTPResponse(HTTPStatus(code), headers: block, sharedBody: code == 205 ? [] : body)
  }
}

private struct UnsuitableStatus: Error, CustomStringConvertible {
  let status: Int
  var description: String { "The status of a response must be from 200 to 599, not \(status)." }
}
