/// A WebSocket client that sends and receives single frames. Each wait ends after a minute.
package final class TestWebSocket: Sendable {
  package enum Frame: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(UInt16?, String)
    /// The connection has ended.
    case end
  }

  package let socket: TestSocket
  package let subprotocol: String?

  /// The server rejected the handshake, with this response.
  package struct Refused: Error { package let answer: String }

  package init(
    port: Int,
    path: String = "/graphql",
    subprotocol: String? = "graphql-transport-ws",
    host: String = "test",
    headers: String = "",
    receiveBuffer: Int32? = nil
  ) throws {
    socket = try TestSocket(port: port, receiveBuffer: receiveBuffer)
    let offer = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
    try socket.send(
      "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(offer)\(headers)\r\n"
    )
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try socket.receive(1) }
    let text = String(decoding: head, as: UTF8.self)
    func header(_ name: String) -> String? {
      let line = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name): ") }
      return line.map { String($0.dropFirst(name.count + 2)) }
    }
    guard text.hasPrefix("HTTP/1.1 101 ") else {
      let body = try socket.receive(header("content-length").flatMap { Int($0) } ?? 0)
      throw Refused(answer: text + String(decoding: body, as: UTF8.self))
    }
    self.subprotocol = header("sec-websocket-protocol")
  }

  package func send(_ text: String) throws { try send(0x1, Array(text.utf8)) }

  package func send(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) throws {
    try socket.send(Self.frame(opcode, payload, isFinal: isFinal))
  }

  package static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
    switch payload.count {
    case ..<126: bytes.append(0x80 | UInt8(payload.count))
    case ..<65536: bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default: bytes += [0xFF] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 0xFF) }
    }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  package func close(_ code: UInt16 = 1000) throws { try send(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)]) }

  /// The next frame. A server's is never masked, and here never in fragments.
  package func receive() throws -> Frame {
    let first = try socket.receiveSome(upTo: 1)
    guard !first.isEmpty else { return .end }
    var length = Int(try socket.receive(1)[0])
    if length == 126 || length == 127 {
      length = try socket.receive(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
    }
    let payload = try socket.receive(length)
    switch first[0] {
    case 0x81: return .text(String(decoding: payload, as: UTF8.self))
    case 0x82: return .binary(payload)
    case 0x88:
      guard payload.count >= 2 else { return .close(nil, "") }
      return .close(UInt16(payload[0]) << 8 | UInt16(payload[1]), String(decoding: payload[2...], as: UTF8.self))
    case 0x89: return .ping(payload)
    case 0x8A: return .pong(payload)
    default: throw TestSocket.Failure("a frame that begins with \(first[0])")
    }
  }
}
