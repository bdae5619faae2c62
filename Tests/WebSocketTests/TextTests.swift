import Testing
import WebSocket

/// Text is UTF-8 across frames and pieces, and invalid text is rejected at its first invalid byte.
@Suite("UTF-8")
struct TextTests {
  static let valid: [String] = [
    "", "plain", "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "日本語", "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}",
    "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "👩‍👧‍👦 at home, all 3 of them",
  ]

  /// Invalid bytes, and after how many of them the error is known.
  static let invalid: [(bytes: [UInt8], shownBy: Int)] = [
    ([0x80], 1), ([0xBF], 1), ([0xFE], 1), ([0xFF], 1),
    ([0xC0, 0xAF], 1), ([0xC1, 0xBF], 1), ([0xE0, 0x80, 0xAF], 2), ([0xE0, 0x9F, 0xBF], 2),
    ([0xF0, 0x80, 0x80, 0xAF], 2), ([0xF0, 0x8F, 0xBF, 0xBF], 2), ([0xF8, 0x88, 0x80, 0x80, 0x80], 1),
    ([0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], 1),
    ([0xED, 0xA0, 0x80], 2), ([0xED, 0xBF, 0xBF], 2), ([0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], 2),
    ([0xF4, 0x90, 0x80, 0x80], 2), ([0xF5, 0x80, 0x80, 0x80], 1),
    ([0xC3, 0x28], 2), ([0xE2, 0x28, 0xA1], 2), ([0xE2, 0x82, 0x28], 3), ([0xF0, 0x90, 0x8C, 0x28], 4),
    ([0xCE, 0xBA, 0x80], 3),
  ]

  /// The beginnings of characters.
  static let unfinished: [[UInt8]] = [[0xC2], [0xE1, 0x80], [0xF0, 0x90, 0x8C], Array("whole ".utf8) + [0xCE]]

  @Test(arguments: valid) func `text comes as it was sent`(_ text: String) {
    for size in 1...9 { #expect(events([.text(text)], inPiecesOf: size) == [.text(text)]) }
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let frames = [
        ClientFrame(1, Array(bytes[..<cut]), isFinal: false), ClientFrame(9), ClientFrame(0, Array(bytes[cut...])),
      ]
      #expect(events(frames) == [.ping([]), .text(text)])
    }
  }

  @Test(arguments: invalid) func `invalid text is rejected`(_ bytes: [UInt8], _ shownBy: Int) {
    for prefix in ["", "a", "12345678", "κ"] {
      let payload = Array(prefix.utf8) + bytes + Array("more".utf8)
      #expect(events([ClientFrame(1, payload)]) == [.failure(.invalidText)])
      #expect(events([ClientFrame(2, payload)]) == [.binary(payload)])
      // Before the frame, let alone the message, has come whole.
      let frame = ClientFrame(1, payload, isFinal: false).bytes
      let shown = 6 + prefix.utf8.count + shownBy
      #expect(events(bytes: Array(frame[..<shown]), inPiecesOf: 1) == [.failure(.invalidText)])
      #expect(events(bytes: Array(frame[..<(shown - 1)]), inPiecesOf: 1) == [])
    }
  }

  @Test(arguments: unfinished) func `a text ends with a whole character`(_ bytes: [UInt8]) {
    #expect(events([ClientFrame(1, bytes)]) == [.failure(.invalidText)])
    #expect(events([ClientFrame(1, bytes, isFinal: false)]) == [])
  }
}
