import Bytes
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test(arguments: [([], ""), ([0], "00"), ([0x0A, 0xF0], "0af0"), ([0x9A, 0xFF], "9aff")] as [([UInt8], String)])
  func `are two for each byte, in lower case`(bytes: [UInt8], text: String) {
    #expect(bytes.hexadecimal == text)
    #expect(bytes[...].hexadecimalDigits == Array(text.utf8))
  }

  @Test func `are those of the standard library for every byte`() {
    for byte in UInt8.min...UInt8.max {
      #expect([byte].hexadecimal == (byte < 16 ? "0" : "") + String(byte, radix: 16))
    }
  }
}
