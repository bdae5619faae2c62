import HTTP

extension HTTPResponse {
  /// The response to a rejected handshake: its code and message as plain text.
  package init(rejecting rejection: WebSocketHandshake.Rejection) {
    switch rejection {
    case .notWebSocket:
      self = .text(
        .badRequest,
        text: "NOT_WEBSOCKET: Opening a WebSocket requires GET, HTTP/1.1 and `Upgrade: websocket`.\n"
      )
    case .unsupportedVersion:
      self = .text(
        .upgradeRequired,
        text: "UNSUPPORTED_VERSION: This server supports version 13 of WebSocket.\n"
      )
      headers = headers.adding(Self.versions)
    case .invalidKey:
      self = .text(
        .badRequest,
        text: "INVALID_KEY: The request must have one Sec-WebSocket-Key with 16 bytes in Base64.\n"
      )
    }
  }

  /// RFC 6455, section 4.4. The encoder adds `Connection: Upgrade`.
  private static let versions = HeaderBlock(trusted: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
}
