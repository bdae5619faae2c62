import Testing

@testable import Hearth

@Suite("Names in mails")
struct SafeNameTests {
  @Test(arguments: [
    "Ada Lovelace", "J.R.R. Tolkien", "Dr. Zoë Müller", "Ли Бо", "李白", "👩‍👩‍👧‍👦 Family", "O'Brien-Smith, Jr.",
    "علی‌رضا", "AC/DC", "A \"quoted\" \\ name, with <brackets>", "Ada: the first", "No. 5", "50% off",
  ])
  func `stay as they are`(name: String) {
    #expect(SafeName.text(name) == name)
  }

  @Test(
    arguments: [
      ("Win at http://evil.example/x", "Win at"), ("Visit http://evil.example/win now", "Visit now"),
      ("Go to evil.example", "Go to"), ("EVIL.EXAMPLE now", "now"), ("www.evil", nil), ("(evil.co.uk/x)", nil),
      ("a@evil.example b", "b"), ("click:evil.example", nil), ("hxxps://x y", "y"), ("mailto:x y", "y"),
      ("192.168.0.1 y", "y"), ("ｅｖｉｌ．ｅｘａｍｐｌｅ y", "y"), ("evil。example y", "y"),
      ("evil\u{200B}.exa\u{AD}mple y", "y"), ("evil.\u{200D}example y", "y"), ("http:\u{2060}//x y", "y"),
      ("St.John Smith", "St. John Smith"), ("Evil.Com", "Evil. Com"), ("xn--abc.example", nil),
      ("a\u{202E}b\u{2066}c\u{200F}", "abc"), ("a\u{0}b\tc\u{85}d\u{2028}e", "a b c d e"), ("\u{202E}", nil),
      ("...", nil),
    ] as [(String, String?)]
  )
  func `lose links and invisible characters`(name: String, shown: String?) {
    #expect(SafeName.text(name) == shown)
  }

  @Test func `M4: neither a mail to an unknown recipient nor its address contains a link from a name`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server, name: "Win at http://evil.example/x now")
      try await ada.verifyEmail(on: server)
      _ = try await ada.addChild("see evil.example", username: "www.evil.example")
      _ = try await ada.parent.perform(Documents.inviteContact, ["email": "grace@example.com", "offer": []])
      let family: Value = ["input": ["name": "evil.example family"]]
      #expect(try await ada.parent.perform(Documents.updateFamily, family).userErrors == [])
      #expect(try await ada.parent.perform(Documents.inviteParent, ["email": "mary@example.com"]).userErrors == [])
      let mails = try await server.mails()
      #expect(mails.count == 4)
      for mail in mails {
        for text in mail.headers + [mail.plain, mail.html] {
          #expect(!text.contains("evil.example") && !text.contains("\u{202E}"), "\(text)")
        }
      }
      #expect(mails.map(\.to).contains("Win at now <ada@example.com>"))
      let subjects = Set(mails.map(\.subject))
      #expect(subjects.contains("Win at now wants to be in contact with you"))
      #expect(subjects.contains("see was added to your family"))
      #expect(mails.contains { $0.plain.contains("the username that you see in the app") })
      #expect(mails.contains { $0.plain.contains("to join \"family\" on Hearth") })
    }
  }
}
