import Bytes
import Testing

@testable import JSON

@Suite("JSON strings")
struct JSONStringTests {
  @Test(arguments: [
    ("", "\"\""), ("plain", "\"plain\""), ("a\"b\\c", "\"a\\\"b\\\\c\""), ("\n\r\t", "\"\\n\\r\\t\""),
    ("\u{1}\u{1F}", "\"\\u0001\\u001f\""), ("żółw 🐢", "\"żółw 🐢\""),
  ])
  func `are escaped as RFC 8259 asks`(text: String, expected: String) {
    var buffer = ByteBuffer()
    buffer.append(jsonString: text)
    #expect(String(decoding: buffer.array(), as: UTF8.self) == expected)
  }
}
