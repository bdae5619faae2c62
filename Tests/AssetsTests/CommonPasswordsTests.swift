import Foundation
import Testing

@testable import Assets

@Suite("The list of common passwords")
struct CommonPasswordsTests {
  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/CAssets/passwords/common-passwords.txt")

  @Test func `every word of it is found, and no other`() throws {
    let words = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(words.count > 8_000)
    // Sorted, as binary search requires.
    for (one, next) in zip(words, words.dropFirst()) { #expect(one.utf8.lexicographicallyPrecedes(next.utf8)) }
    let known = Set(words)
    for word in words {
      #expect(CommonPasswords.contain(word), "\(word)")
      for other in [word + "~", "~" + word, String(word.dropLast()), word + "\n", String(word.dropFirst())] {
        #expect(CommonPasswords.contain(other) == known.contains(other), "\(other)")
      }
    }
    for other in ["", "\n", "\u{0}", "\u{10FFFF}", words[0] + "\n" + words[1]] {
      #expect(!CommonPasswords.contain(other))
    }
  }

  @Test func `each is in the form in which passwords are compared, and could be chosen`() throws {
    for word in try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init) {
      #expect(word.precomposedStringWithCompatibilityMapping.lowercased() == word)
      #expect(word.trimmingCharacters(in: .whitespacesAndNewlines) == word && word.count >= 8)
    }
  }
}
