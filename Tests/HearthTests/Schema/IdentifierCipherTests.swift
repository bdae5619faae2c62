import Testing

@testable import Hearth

@Suite("Ids") struct IdentifierCipherTests {
  private let cipher = IdentifierCipher(secret: Array(1...16))

  @Test func `their texts return the keys`() throws {
    let cipher = try #require(cipher)
    for number in [1, 2, 1_000_000, Int64(1) << 50] {
      let key = GlobalID(.chore, number: number)
      let text = cipher.text(of: key)
      #expect(text.utf8.count == IdentifierCipher.length)
      #expect(cipher.key(of: text) == key)
    }
  }

  @Test(arguments: [
    ("0000000000000", true), ("fzzzzzzzzzzzz", true),
    // The first digit stands for four bits: a number has 64.
    ("g000000000000", false), ("z000000000000", false),
    ("000000000000", false), ("00000000000000", false), ("", false),
    // No digits: letters that look like others, capitals, and what is not ASCII.
    ("000000000000i", false), ("000000000000u", false), ("000000000000A", false), ("00000000000é", false),
  ])
  func `only 13 digits of 64 bits have their form`(text: String, isID: Bool) {
    #expect(IdentifierCipher.isID(text) == isID)
  }
}
