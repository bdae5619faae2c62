import WebSocket

/// A frame as a client sends it, or as it should not.
struct ClientFrame {
  var first: UInt8
  var payload: [UInt8]
  var isMasked = true
  var mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
  /// The length as it is written, where that is not as it has to be.
  var length: [UInt8]?

  init(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0) {
    first = (isFinal ? 0x80 : 0) | reserved << 4 | opcode
    self.payload = payload
  }

  static func text(_ text: String, isFinal: Bool = true) -> ClientFrame {
    ClientFrame(1, Array(text.utf8), isFinal: isFinal)
  }

  static func close(_ code: UInt16, _ text: [UInt8] = []) -> ClientFrame {
    ClientFrame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + text)
  }

  func setting(_ change: (inout ClientFrame) -> Void) -> ClientFrame {
    var frame = self
    change(&frame)
    return frame
  }

  var bytes: [UInt8] {
    let bit: UInt8 = isMasked ? 0x80 : 0
    let usual: [UInt8] =
      switch payload.count {
      case ..<126: [UInt8(payload.count)]
      case ..<65536: [126] + bigEndian(UInt64(payload.count)).suffix(2)
      default: [127] + bigEndian(UInt64(payload.count))
      }
    var length = self.length ?? usual
    length[0] |= bit
    let masked = payload.enumerated().map { isMasked ? $1 ^ mask[$0 % 4] : $1 }
    return [first] + length + (isMasked ? mask : []) + masked
  }

  private func bigEndian(_ number: UInt64) -> [UInt8] { (0..<8).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) } }
}

/// All events of bytes that arrive in pieces of `size`.
func events(
  _ frames: [ClientFrame],
  inPiecesOf size: Int = .max,
  limit: Int = 1 << 20
) -> [MessageReader.Event] {
  events(bytes: frames.flatMap(\.bytes), inPiecesOf: size, limit: limit)
}

func events(bytes: [UInt8], inPiecesOf size: Int = .max, limit: Int = 1 << 20) -> [MessageReader.Event] {
  var reader = MessageReader(limits: WebSocketLimits(messageBytes: limit))
  var events: [MessageReader.Event] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(size)
    rest = rest.dropFirst(piece.count)
    piece.withUnsafeBytes { piece in
      var input = piece
      while let event = reader.next(&input) { events.append(event) }
    }
  }
  return events
}

extension MessageReader.Event {
  static func text(_ text: String) -> MessageReader.Event { .text(Array(text.utf8)) }
}

extension CloseCode {
  /// The code that a client closes with.
  static let normalClosure = CloseCode(rawValue: 1000)
}
