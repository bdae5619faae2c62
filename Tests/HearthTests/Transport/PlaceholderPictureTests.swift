import TestSupport
import Testing

@testable import Hearth

@Suite("Placeholder pictures")
struct PlaceholderPictureTests {
  @Test(arguments: ["sunrise", "ocean", "forest", "lavender", "slate", "candy"])
  func `there is one in every theme, for keeps, and it may do nothing but be looked at`(theme: String) async throws {
    try await TestServer.run { server in
      for name in ["chore", "initials-4d", "initials-c389c389"] {
        let answer = try await server.http.get("/media/placeholder/\(theme)/\(name).svg")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "image/svg+xml")
        #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable")
        #expect(answer.headers["content-security-policy"] == "default-src 'none'")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(XMLCheck(answer.body).isWellFormed)
      }
    }
  }

  @Test func `the drawing is well-formed for any letters in the path`() async throws {
    try await TestServer.run { server in
      for letters in [
        "<", ">", "&", "\"", "'", "<\u{301}", "&\u{301}x", "<script>alert(1)</script>", "]]>", "<!--", "&#0;", "\u{0}",
        "\u{1B}", "\u{FFFE}", "\u{FFFF}", "\u{202E}", "👨‍👩‍👧‍👦",
      ] {
        let hexadecimal = letters.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let answer = try await server.http.get("/media/placeholder/slate/initials-\(hexadecimal).svg")
        #expect(answer.status == 200)
        #expect(XMLCheck(answer.body).isWellFormed, "\(letters.debugDescription): \(answer.text)")
        #expect(!answer.text.contains("<script"))
      }
    }
  }

  @Test(arguments: [
    ("Mia", "M"), ("Ada Lovelace", "AL"), ("Ada King Byron Lovelace", "AL"), ("ada", "A"), ("ß", "SS"), ("", ""),
    ("👩‍👩‍👧‍👦 Family", "👩‍👩‍👧‍👦F"), ("e\u{301}lodie", "É"), ("M" + String(repeating: "\u{301}", count: 100), "M"),
  ])
  func `initials are those of the first and the last word`(name: String, expected: String) {
    #expect(Placeholder.initials(of: name) == expected)
    let placeholder = Placeholder.of(name: name, theme: .ocean)
    #expect(Placeholder(path: placeholder.path)?.svg == placeholder.svg)
  }
}
