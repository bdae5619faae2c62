import Bytes
import HTTP
import Testing

@testable import WebSocket

@Suite("The opening handshake")
struct HandshakeTests {
  private static let good = [
    "Host: test", "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  private func request(_ headers: [String], line: String = "GET /chat HTTP/1.1") throws -> HTTPRequest {
    var parser = RequestParser()
    let text = ([line] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    Array(text.utf8).withUnsafeBytes { parser.receive($0) }
    guard case .request(let request) = parser.next() else { throw NotARequest() }
    return request
  }
  private struct NotARequest: Error {}

  private func headers(_ handshake: WebSocketHandshake) -> String {
    var output = ByteBuffer()
    ResponseEncoder.encodeUpgrade(handshake.headers, into: &output)
    return String(decoding: output.array(), as: UTF8.self)
  }

  @Test func `the key is answered as in the RFC's example`() throws {
    let handshake = try WebSocketHandshake(try request(Self.good), subprotocols: [])
    #expect(
      headers(handshake) == """
        HTTP/1.1 101 Switching Protocols\r
        Connection: Upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
        \r

        """
    )
  }

  @Test(arguments: [
    ("chat", "chat"), ("superchat, chat", "superchat"), ("other,\tchat ", "chat"), ("other", nil), ("CHAT", nil),
  ])
  func `the client's first subprotocol that is known is chosen`(_ offered: String, _ chosen: String?) throws {
    let asking = try request(Self.good + ["Sec-WebSocket-Protocol: \(offered)"])
    let handshake = try WebSocketHandshake(asking, subprotocols: ["chat", "superchat"])
    #expect(handshake.subprotocol == chosen)
    #expect(headers(handshake).contains("Sec-WebSocket-Protocol: \(chosen ?? "")\r\n") == (chosen != nil))
  }

  struct Refused: CustomTestStringConvertible {
    let name: String
    var replacing = ""
    var with: [String] = []
    var line = "GET /chat HTTP/1.1"
    let refusal: WebSocketHandshake.Rejection
    var testDescription: String { name }
  }

  static let refused: [Refused] = [
    Refused(name: "by POST", line: "POST /chat HTTP/1.1", refusal: .notWebSocket),
    Refused(name: "by HTTP/1.0", line: "GET /chat HTTP/1.0", refusal: .notWebSocket),
    Refused(name: "no Upgrade", replacing: "Upgrade:", refusal: .notWebSocket),
    Refused(name: "another Upgrade", replacing: "Upgrade:", with: ["Upgrade: h2c"], refusal: .notWebSocket),
    Refused(name: "no Connection", replacing: "Connection:", refusal: .notWebSocket),
    Refused(name: "no version", replacing: "Sec-WebSocket-Version:", refusal: .unsupportedVersion),
    Refused(
      name: "version 8",
      replacing: "Sec-WebSocket-Version:",
      with: ["Sec-WebSocket-Version: 8"],
      refusal: .unsupportedVersion
    ),
    Refused(name: "no key", replacing: "Sec-WebSocket-Key:", refusal: .invalidKey),
    Refused(
      name: "two keys",
      with: ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
      refusal: .invalidKey
    ),
    Refused(
      name: "a short key",
      replacing: "Sec-WebSocket-Key:",
      with: ["Sec-WebSocket-Key: dGhlIHNhbXBsZQ=="],
      refusal: .invalidKey
    ),
    Refused(
      name: "no Base64",
      replacing: "Sec-WebSocket-Key:",
      with: ["Sec-WebSocket-Key: dGhl!HNhbXBsZSBub25jZQ=="],
      refusal: .invalidKey
    ),
  ]

  @Test(arguments: refused) func `invalid handshakes are rejected`(_ example: Refused) throws {
    let headers = Self.good.filter { example.replacing.isEmpty || !$0.hasPrefix(example.replacing) } + example.with
    let asking = try request(headers, line: example.line)
    #expect(throws: example.refusal) { _ = try WebSocketHandshake(asking, subprotocols: []) }
    let answer = HTTPResponse(rejecting: example.refusal)
    #expect(answer.status == (example.refusal == .unsupportedVersion ? .upgradeRequired : .badRequest))
  }
}
