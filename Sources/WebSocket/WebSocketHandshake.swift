import Crypto
import HTTP

/// The opening handshake, from the server's side (RFC 6455, section 4.2).
package struct WebSocketHandshake: Sendable {
  /// The chosen subprotocol; nil if the client offers none that is supported.
  package let subprotocol: String?
  /// The headers of the response `101 Switching Protocols`.
  package let headers: HeaderBlock

  /// Why a handshake is rejected.
  package enum Rejection: Error, Equatable, Sendable {
    /// The request is not a WebSocket handshake.
    case notWebSocket
    /// A version other than 13.
    case unsupportedVersion
    case invalidKey
  }

  /// Whether the request is a WebSocket handshake, valid or not. The header Upgrade is ignored in HTTP/1.0 (RFC 9110,
  /// section 7.8).
  package static func isAskedFor(by request: HTTPRequest) -> Bool {
    request.asksToUpgrade && request.version == .http11
      && request.values(of: .upgrade).contains { $0.listContains("websocket") }
  }

  /// - Parameter subprotocols: The supported subprotocols. The first of them that the client offers is chosen.
  package init(_ request: HTTPRequest, subprotocols: [String]) throws(Rejection) {
    guard request.method == .get, request.body.isEmpty, Self.isAskedFor(by: request) else { throw .notWebSocket }
    let versions = request.values(of: .secWebSocketVersion)
    guard versions.count == 1, versions[0].equals("13") else { throw .unsupportedVersion }
    let keys = request.values(of: .secWebSocketKey)
    guard keys.count == 1, Self.isKey(keys[0]) else { throw .invalidKey }
    var subprotocol: String?
    for list in request.values(of: .secWebSocketProtocol) where subprotocol == nil {
      subprotocol = list.firstListMember(among: subprotocols)
    }
    self.subprotocol = subprotocol
    let headers = HeaderBlock(trusted: [
      "Upgrade": "websocket", "Sec-WebSocket-Accept": Self.accept(Array(keys[0])),
    ])
    self.headers = subprotocol.map { headers.adding(trusted: "Sec-WebSocket-Protocol", $0) } ?? headers
  }

  /// Sixteen bytes in Base64.
  private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
    key.count == 24 && key.suffix(2).equals("==") && key.dropLast(2).allSatisfy(Base64.isDigit)
  }

  static func accept(_ key: [UInt8]) -> String {
    let digest = Insecure.SHA1.hash(data: key + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
    return Base64.encode(Array(digest))
  }
}
