import Testing

@testable import Hearth

@Suite("Base64url")
struct Base64URLTests {
  static let samples: [(bytes: [UInt8], text: String)] = [
    ([], ""), ([0xFB], "-w"), ([0xFF, 0xFF], "__8"), ([0xFB, 0xEF, 0xFF], "--__"), ([0, 1, 2, 3], "AAECAw"),
  ]

  @Test(arguments: samples)
  func `texts have no padding, and decode to the same bytes`(bytes: [UInt8], text: String) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text.utf8).map(Array.init) == bytes)
  }

  @Test(arguments: ["+w", "//8", "-w==", "__8=", "A", "AAAAA", "AA AA", "ä", "A.AA"])
  func `texts in another form are rejected`(text: String) {
    #expect(Base64URL.decode(text.utf8) == nil)
  }
}
