import Bytes
import Testing

@testable import WebSocket

@Suite("Frames that are written")
struct FrameWritingTests {
  private func written(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
    var buffer = ByteBuffer()
    write(&buffer)
    return buffer.array()
  }

  @Test(
    arguments: [
      (0, [0x00]), (1, [0x01]), (125, [0x7D]), (126, [0x7E, 0, 126]), (65535, [0x7E, 0xFF, 0xFF]),
      (65536, [0x7F, 0, 0, 0, 0, 0, 1, 0, 0]),
    ] as [(Int, [UInt8])]
  )
  func `the length is written in as few bytes as it fits`(_ count: Int, _ length: [UInt8]) {
    let payload = Array(repeating: UInt8(ascii: "x"), count: count)
    #expect(written { $0.append(frame: .text, payload) } == [0x81] + length + payload)
    #expect(written { $0.append(frame: .binary, payload) } == [0x82] + length + payload)
  }

  @Test func `a close frame has code and reason`() {
    #expect(written { $0.append(close: nil) } == [0x88, 0])
    #expect(
      written { $0.append(close: CloseReason(.goingAway, text: "Bye")) } == [0x88, 5, 0x03, 0xE9] + Array("Bye".utf8)
    )
  }

  @Test func `a long reason is cut between characters`() {
    let reason = String(repeating: "é", count: 100)
    let frame = written { $0.append(close: CloseReason(.protocolError, text: reason)) }
    #expect(frame.count == 2 + 2 + 122)
    #expect(String(validating: frame[4...], as: UTF8.self) == String(repeating: "é", count: 61))
  }
}
