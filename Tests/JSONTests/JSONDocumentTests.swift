import Basics
import JSON
import Testing

@Suite("JSONDocument")
struct JSONDocumentTests {
  private func errorCode(of text: [UInt8], limits: JSONLimits = JSONLimits()) -> String? {
    do throws(JSONError) {
      _ = try JSONDocument(text, limits: limits)
      return nil
    } catch {
      #expect((0...text.count).contains(error.offset))
      return error.code
    }
  }

  @Test(arguments: SyntaxCase.all)
  func `accepts JSON by RFC 8259 and explains why it rejects other texts`(example: SyntaxCase) {
    #expect(errorCode(of: example.text) == example.errorCode)
    // The same within a longer text, where more than eight bytes follow, and of a slice that does not begin at zero.
    if example.errorCode == nil {
      #expect(errorCode(of: Array("[".utf8) + example.text + Array(",\"filling, filling\"]".utf8)) == nil)
      let slice = (Array("xyz".utf8) + example.text + Array("xyz".utf8)).dropFirst(3).dropLast(3)
      #expect(throws: Never.self) { try JSONDocument(slice) }
    }
  }

  @Test(arguments: SyntaxCase.accepted)
  func `rejects every prefix of an unclosed array`(example: SyntaxCase) {
    let text = Array("[".utf8) + example.text + Array("]".utf8)
    for length in 0..<text.count {
      #expect(errorCode(of: Array(text[..<length])) != nil, "\(String(decoding: text[..<length], as: UTF8.self))")
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `survives deep nesting`(opening: String) {
    let bomb = Array(String(repeating: opening, count: 50_000).utf8)
    #expect(errorCode(of: bomb) == "JSON_TOO_DEEP")
    #expect(errorCode(of: bomb, limits: JSONLimits(depth: 1_000_000)) == "JSON_UNEXPECTED_END")
  }

  @Test func `is as deep as its limit and no deeper`() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    let limits = JSONLimits(depth: 10)
    #expect(errorCode(of: nested(10), limits: limits) == nil)
    #expect(errorCode(of: nested(11), limits: limits) == "JSON_TOO_DEEP")
    #expect(errorCode(of: Array("[[],[],[{}],{\"a\":[]}]".utf8), limits: JSONLimits(depth: 3)) == nil)
    #expect(errorCode(of: Array("1".utf8), limits: JSONLimits(depth: 0)) == nil)
  }

  @Test func `is as long as its limit and no longer`() {
    #expect(errorCode(of: Array("[1,2]".utf8), limits: JSONLimits(bytes: 5)) == nil)
    #expect(errorCode(of: Array("[1,2]".utf8), limits: JSONLimits(bytes: 4)) == "JSON_TOO_LONG")
  }

  @Test func `has numbers as long as its limit and no longer`() {
    let limits = JSONLimits(numberBytes: 8)
    #expect(errorCode(of: Array("-1234567".utf8), limits: limits) == nil)
    #expect(errorCode(of: Array("-12345678".utf8), limits: limits) == "JSON_NUMBER_TOO_LONG")
  }

  /// Eight or 32 bytes of a string are examined together.
  @Test func `finds what needs handling at each place of a string of any length`() throws {
    let pieces: [(sent: [UInt8], meant: String?)] = [
      (Array(#"\n"#.utf8), "\n"), (Array(#"\""#.utf8), "\""), (Array("é".utf8), "é"), (Array("#[]!".utf8), "#[]!"),
      ([0x1F], nil), ([0x00], nil), ([0x80], nil), ([0xFF], nil), (Array(#"\x"#.utf8), nil), (Array("\"".utf8), nil),
    ]
    for length in 0..<100 {
      for offset in 0...length {
        let (before, after) = (String(repeating: "a", count: offset), String(repeating: "z", count: length - offset))
        for (sent, meant) in pieces {
          let text = Array("\"\(before)".utf8) + sent + Array("\(after)\"".utf8)
          let string = try? JSONDocument(text).root.string
          #expect(string == meant.map { before + $0 + after }, "\(sent) at \(offset) of \(length)")
        }
      }
    }
  }

  @Test func `reports the offset of an error`() {
    let error = #expect(throws: JSONError.self) { try JSONDocument(Array("{\"a\": [1, 2,]}".utf8)) }
    #expect(error?.offset == 11)
    #expect(error?.description == "Trailing commas are not allowed in JSON. (Byte 11.)")
  }

  @Test func `never crashes on mutated texts`() {
    var generator = SeededGenerator(seed: 8259)
    let bytes = Array("{}[]\",:\\u019aeE+-. \n\0tfnd8".utf8) + [0x80, 0xC3, 0xED, 0xF0, 0xFF]
    for _ in 0..<50_000 {
      var text = SyntaxCase.all[Int.random(in: 0..<SyntaxCase.all.count, using: &generator)].text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let at = Int.random(in: 0...text.count, using: &generator)
        text.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: at)
      }
      // Accepted texts can be traversed completely.
      if let document = try? JSONDocument(text) { walk(document.root) }
    }
  }

  private func walk(_ value: JSONValue) {
    switch value.kind {
    case .string: #expect(value.string.map { Array($0.utf8)[...] } == value.stringBytes)
    case .number: _ = (value.int64, value.double)
    case .array: value.elements?.forEach(walk)
    case .object:
      value.members?.forEach {
        walk($0.key)
        walk($0.value)
      }
    case .null, .boolean: break
    }
  }
}
