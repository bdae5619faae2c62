import Testing
import WebSocket

/// The requirements of RFC 6455 on receivers. The groups are those of the Autobahn test suite.
@Suite("Messages")
struct MessageReaderTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let frames: [ClientFrame]
    let events: [MessageReader.Event]
    init(_ name: String, _ frames: [ClientFrame], _ events: [MessageReader.Event]) {
      self.name = name
      self.frames = frames
      self.events = events
    }
    var testDescription: String { name }
  }

  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }
  static func letters(_ count: Int) -> String { String(repeating: "*", count: count) }
  static let poison: [UInt8] = [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5]

  static let framing: [Case] =
    [0, 1, 2, 3, 5, 8, 125, 126, 127, 128, 65535, 65536, 70_001].flatMap { count in
      [
        Case("text of \(count)", [.text(letters(count))], [.text(letters(count))]),
        Case("binary of \(count)", [ClientFrame(2, bytes(count))], [.binary(bytes(count))]),
      ]
    }

  static let pings: [Case] = [
    Case("an empty ping", [ClientFrame(9)], [.ping([])]),
    Case("a ping with a payload", [ClientFrame(9, bytes(125))], [.ping(bytes(125))]),
    Case("a ping of 126 bytes", [ClientFrame(9, bytes(126))], [.failure(.longControlFrame)]),
    Case("a pong that nobody asked for", [ClientFrame(10, bytes(3))], [.pong(bytes(3))]),
    Case(
      "ten pings",
      Array(repeating: ClientFrame(9, bytes(2)), count: 10),
      Array(repeating: .ping(bytes(2)), count: 10)
    ),
  ]

  static let reservedBits: [Case] = (1...7).map { bits in
    Case(
      "reserved bits \(bits)",
      [.text("before"), ClientFrame(bits % 2 == 0 ? 1 : 9, [], reserved: UInt8(bits)), .text("after")],
      [.text("before"), .failure(.reservedBits)]
    )
  }

  static let opcodes: [Case] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
    Case(
      "opcode \(opcode)",
      [.text("before"), ClientFrame(UInt8(opcode)), .text("after")],
      [.text("before"), .failure(.reservedOpcode)]
    )
  }

  static let fragments: [Case] = [
    Case(
      "two fragments",
      [.text("one ", isFinal: false), ClientFrame(0, Array("two".utf8))],
      [.text("one two")]
    ),
    Case(
      "empty fragments",
      [ClientFrame(2, [], isFinal: false), ClientFrame(0, [], isFinal: false), ClientFrame(0)],
      [.binary([])]
    ),
    Case(
      "a ping between fragments",
      [.text("one ", isFinal: false), ClientFrame(9, [1]), ClientFrame(0, Array("two".utf8))],
      [.ping([1]), .text("one two")]
    ),
    Case("a ping in fragments", [ClientFrame(9, [1], isFinal: false)], [.failure(.fragmentedControlFrame)]),
    Case("a close in fragments", [ClientFrame(8, [], isFinal: false)], [.failure(.fragmentedControlFrame)]),
    Case("nothing to continue", [ClientFrame(0, [1])], [.failure(.nothingToContinue)]),
    Case("nothing to continue, unfinished", [ClientFrame(0, [1], isFinal: false)], [.failure(.nothingToContinue)]),
    Case(
      "nothing to continue after a message",
      [.text("one", isFinal: false), ClientFrame(0), ClientFrame(0, [1])],
      [.text("one"), .failure(.nothingToContinue)]
    ),
    Case(
      "a new message within one",
      [.text("one", isFinal: false), .text("two")],
      [.failure(.unfinishedMessage)]
    ),
    Case(
      "a close within a message",
      [.text("one", isFinal: false), .close(1000)],
      [.close(CloseReason(.normalClosure))]
    ),
    Case(
      "the mask restarts with each fragment",
      [ClientFrame(2, bytes(3), isFinal: false), ClientFrame(0, bytes(5), isFinal: false), ClientFrame(0, bytes(17))],
      [.binary(bytes(3) + bytes(5) + bytes(17))]
    ),
  ]

  static let closes: [Case] =
    [
      Case("a close that says nothing", [ClientFrame(8)], [.close(nil)]),
      Case("a close of one byte", [ClientFrame(8, [3])], [.failure(.invalidClose)]),
      Case(
        "a close with a reason",
        [.close(1000, Array("Bye".utf8))],
        [.close(CloseReason(.normalClosure, text: "Bye"))]
      ),
      Case("a close of 126 bytes", [.close(1000, bytes(124))], [.failure(.longControlFrame)]),
      Case("a reason that is not UTF-8", [.close(1000, poison + [0xED, 0xA0, 0x80])], [.failure(.invalidText)]),
      Case(
        "nothing after a close",
        [.close(1000), .text("late"), ClientFrame(9)],
        [.close(CloseReason(.normalClosure))]
      ),
      Case("nothing after a failure", [ClientFrame(3), .text("late")], [.failure(.reservedOpcode)]),
    ]
    + [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map { code in
      Case("close code \(code)", [.close(code)], [.close(CloseReason(CloseCode(rawValue: code)))])
    }
    + [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535].map { code in
      Case("close code \(code) may not be sent", [.close(code)], [.failure(.invalidClose)])
    }

  static let headers: [Case] = [
    Case("a frame without a mask", [.text("bare").setting { $0.isMasked = false }], [.failure(.notMasked)]),
    Case(
      "a short length in two bytes",
      [ClientFrame(2, bytes(125)).setting { $0.length = [126, 0, 125] }],
      [.failure(.invalidLength)]
    ),
    Case(
      "a short length in eight bytes",
      [ClientFrame(2, bytes(126)).setting { $0.length = [127, 0, 0, 0, 0, 0, 0, 0, 126] }],
      [.failure(.invalidLength)]
    ),
    Case(
      "a length with its highest bit",
      [ClientFrame(2).setting { $0.length = [127, 0x80, 0, 0, 0, 0, 0, 0, 0] }],
      [.failure(.invalidLength)]
    ),
    Case(
      "a length that no memory has",
      [ClientFrame(2).setting { $0.length = [127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }],
      [.failure(.messageTooBig)]
    ),
  ]

  static let all = framing + pings + reservedBits + opcodes + fragments + closes + headers

  @Test(arguments: all) func `frames are read as the RFC has it, however they are cut`(_ example: Case) {
    #expect(events(example.frames) == example.events)
    let count = example.frames.reduce(0) { $0 + $1.bytes.count }
    for size in [1, 2, 3, 7, 997] where count < 2000 || size > 7 {
      #expect(events(example.frames, inPiecesOf: size) == example.events, "in pieces of \(size)")
    }
  }

  @Test func `a message may not be longer than the limit, in one frame or in many`() {
    let half = Self.bytes(100)
    #expect(events([ClientFrame(2, half + half)], limit: 200) == [.binary(half + half)])
    #expect(events([ClientFrame(2, half + half + [0])], limit: 200) == [.failure(.messageTooBig)])
    let fragments = [ClientFrame(2, half, isFinal: false), ClientFrame(0, half, isFinal: false)]
    #expect(events(fragments + [ClientFrame(0)], limit: 200) == [.binary(half + half)])
    #expect(events(fragments + [ClientFrame(0, [0])], limit: 200) == [.failure(.messageTooBig)])
  }

  @Test func `frames that are too long are rejected by their header`() {
    let header = Array(ClientFrame(2, Self.bytes(300)).bytes.prefix(8))
    #expect(events(bytes: header, limit: 200) == [.failure(.messageTooBig)])
  }

  @Test(arguments: 0..<4) func `a mask is taken off wherever a piece begins`(_ start: Int) {
    let payload = Self.bytes(64)
    let frame = ClientFrame(2, payload)
    for size in 1...40 { #expect(events([frame], inPiecesOf: size) == [.binary(payload)]) }
    #expect(events([frame.setting { $0.mask = [0, 0, 0, UInt8(start)] }]) == [.binary(payload)])
  }
}
