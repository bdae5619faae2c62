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
    guard case .request(let request) = parser.next(ParserMemory()) else { throw NotARequest() }
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

  @Test func `a subprotocol is found at the end of a long list`() throws {
    let others = String(repeating: "other, ", count: 4_000)
    for (list, chosen) in [("\(others)chat, superchat", "chat"), (others, nil)] {
      let asking = try request(Self.good + ["Sec-WebSocket-Protocol: \(list)"])
      #expect(try WebSocketHandshake(asking, subprotocols: ["superchat", "chat"]).subprotocol == chosen)
    }
  }

  @Test(arguments: [("GET /chat HTTP/1.1", true), ("POST /chat HTTP/1.1", true), ("GET /chat HTTP/1.0", false)])
  func `HTTP/1.0 has no handshakes`(line: String, isHandshake: Bool) throws {
    #expect(WebSocketHandshake.isAskedFor(by: try request(Self.good, line: line)) == isHandshake)
  }

  struct RejectedHandshake: CustomTestStringConvertible {
    let name: String
    var replacing = ""
    var with: [String] = []
    var line = "GET /chat HTTP/1.1"
    let rejection: WebSocketHandshake.Rejection
    var testDescription: String { name }
  }

  static let rejected: [RejectedHandshake] = [
    RejectedHandshake(name: "by POST", line: "POST /chat HTTP/1.1", rejection: .notWebSocket),
    RejectedHandshake(name: "by HTTP/1.0", line: "GET /chat HTTP/1.0", rejection: .notWebSocket),
    RejectedHandshake(name: "no Upgrade", replacing: "Upgrade:", rejection: .notWebSocket),
    RejectedHandshake(name: "another Upgrade", replacing: "Upgrade:", with: ["Upgrade: h2c"], rejection: .notWebSocket),
    RejectedHandshake(name: "no Connection", replacing: "Connection:", rejection: .notWebSocket),
    RejectedHandshake(name: "no version", replacing: "Sec-WebSocket-Version:", rejection: .unsupportedVersion),
    RejectedHandshake(
      name: "version 8",
      replacing: "Sec-WebSocket-Version:",
      with: ["Sec-WebSocket-Version: 8"],
      rejection: .unsupportedVersion
    ),
    RejectedHandshake(name: "no key", replacing: "Sec-WebSocket-Key:", rejection: .invalidKey),
    RejectedHandshake(
      name: "two keys",
      with: ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
      rejection: .invalidKey
    ),
    RejectedHandshake(
      name: "a short key",
      replacing: "Sec-WebSocket-Key:",
      with: ["Sec-WebSocket-Key: dGhlIHNhbXBsZQ=="],
      rejection: .invalidKey
    ),
    RejectedHandshake(
      name: "no Base64",
      replacing: "Sec-WebSocket-Key:",
      with: ["Sec-WebSocket-Key: dGhl!HNhbXBsZSBub25jZQ=="],
      rejection: .invalidKey
    ),
  ]

  @Test(arguments: rejected) func `invalid handshakes are rejected`(_ example: RejectedHandshake) throws {
    let headers = Self.good.filter { example.replacing.isEmpty || !$0.hasPrefix(example.replacing) } + example.with
    let asking = try request(headers, line: example.line)
    #expect(throws: example.rejection) { _ = try WebSocketHandshake(asking, subprotocols: []) }
    let answer = HTTPResponse(rejecting: example.rejection)
    #expect(answer.status == (example.rejection == .unsupportedVersion ? .upgradeRequired : .badRequest))
  }
}
