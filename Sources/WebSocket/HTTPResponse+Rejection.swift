import Bytes
import HTTP

extension HTTPResponse {
  /// The response to a rejected handshake: its code and message as plain text.
  package init(rejecting rejection: WebSocketHandshake.Rejection) {
    var body = ByteBuffer()
    let status: HTTPStatus
    var headers = Self.plainText
    switch rejection {
    case .notWebSocket:
      status = .badRequest
      body.append("NOT_WEBSOCKET: Opening a WebSocket requires GET, HTTP/1.1 and `Upgrade: websocket`.\n")
    case .unsupportedVersion:
      status = .upgradeRequired
      body.append("UNSUPPORTED_VERSION: This server supports version 13 of WebSocket.\n")
      headers = Self.versions
    case .invalidKey:
      status = .badRequest
      body.append("INVALID_KEY: The request must have one Sec-WebSocket-Key with 16 bytes in Base64.\n")
    }
    self.init(status, headers: headers, body: body)
  }

  private static let plainText = block(["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
  /// RFC 6455, section 4.4. The encoder adds `Connection: Upgrade`.
  private static let versions = block([
    "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
  ])

  private static func block(_ headers: KeyValuePairs<String, String>) -> HeaderBlock {
    do throws(HeaderBlockError) {
      return try HeaderBlock(headers)
    } catch {
      preconditionFailure(error.description)
    }
  }
}
