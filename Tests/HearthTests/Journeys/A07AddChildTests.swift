import Foundation
import Testing

@testable import Hearth

@Suite("A7: add a child")
struct A07AddChildTests {
  @Test func `name and birth are enough`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(
        Documents.addChild,
        ["input": ["name": "  Mia  ", "birth": ["dateOfBirth": "2015-11-22"]]]
      )
      #expect(outcome.userErrors.isEmpty)
      let child = outcome["child"]
      #expect(child["name"] == "Mia")
      #expect(child["username"] == "mia")
      #expect(child["dateOfBirth"] == "2015-11-22")
      #expect(child["age"] == 10)
      #expect(child["theme"] == "SUNRISE")
      #expect(child["gender"] == "UNSPECIFIED")
      #expect(child["points"] == 0)
      #expect(child["family.id"] == .string(ada.familyID))
      #expect(child["avatar.placeholder"] == true)
      // Its eleventh birthday is tomorrow.
      server.clock.advance(days: 1)
      let asked = try await Client(port: server.port, token: refreshed(ada)).ask("{ family { children { id age } } }")
      #expect(asked["data.family.children.0"] == ["id": child["id"], "age": 11])
    }
  }

  /// A new access token, after the first has expired.
  private func refreshed(_ household: Household) async throws -> String? {
    let outcome = try await household.parent.with(token: nil).perform(
      Documents.refresh,
      ["token": .string(household.refreshToken)]
    )
    return outcome["credentials.accessToken"].string
  }

  @Test func `siblings may have the same name, and get usernames of their own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for _ in 0..<5 { _ = try await ada.addChild("Mia") }
      let children = try await ada.parent.ask("{ family { children { name username } } }")["data.family.children"]
      #expect(Set(children.each("name")) == ["Mia"])
      #expect(Set(children.each("username")).count == 5)
      let usernames = children.each("username").compactMap(\.string)
      #expect(usernames.allSatisfy { $0.hasPrefix("mia") })
    }
  }

  /// Each child is a person, with limits of their own.
  @Test func `a family adds a limited number of children at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let caller = RateLimits.Caller(subject: .family(family))
      let now = server.clock.clock.now()
      #expect(server.services.rateLimits.take(.addedChild, count: 249, by: caller, at: now) == nil)
      let mia: Value = ["input": ["name": "Mia", "birth": ["age": 8]]]
      #expect(try await ada.parent.perform(Documents.addChild, mia).userErrors == [])
      #expect(try await ada.parent.perform(Documents.addChild, mia).codes == ["RATE_LIMITED"])
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben Other")
      #expect(try await ben.parent.perform(Documents.addChild, mia).userErrors == [])
      server.clock.advance(seconds: 1_200)
      let later = try await ada.signedInAgain(on: server)
      #expect(try await later.parent.perform(Documents.addChild, mia).userErrors == [])
    }
  }

  static let rejected: [(Value, [String])] = [
    (["name": ""], ["input.name BLANK"]),
    (["name": " \t\n\u{3000}"], ["input.name BLANK"]),
    (["name": .string(String(repeating: "n", count: 101))], ["input.name TOO_LONG"]),
    (["name": "Mi\u{0}a"], ["input.name INVALID"]),
    (["name": "Mi\u{9B}a"], ["input.name INVALID"]),
    (["birth": ["dateOfBirth": "2026-11-23"]], ["input.birth.dateOfBirth OUT_OF_RANGE"]),
    (["birth": ["dateOfBirth": "1890-01-01"]], ["input.birth.dateOfBirth OUT_OF_RANGE"]),
    (["birth": ["age": -1]], ["input.birth.age OUT_OF_RANGE"]),
    (["birth": ["age": 131]], ["input.birth.age OUT_OF_RANGE"]),
    (["username": "ab"], ["input.username TOO_SHORT"]),
    (["username": .string(String(repeating: "u", count: 31))], ["input.username TOO_LONG"]),
    (["username": "mia mia"], ["input.username INVALID"]),
    (["username": "mia@home"], ["input.username INVALID"]),
    (["username": "mia\u{0}"], ["input.username INVALID"]),
    (
      ["name": "", "username": "!", "birth": ["age": 200]],
      ["input.birth.age OUT_OF_RANGE", "input.name BLANK", "input.username TOO_SHORT"]
    ),
  ]

  @Test func `all invalid fields are reported at once, and no child is added`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for (fault, expected) in Self.rejected {
        let input = (["name": "Mia", "birth": ["age": 8]] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.addChild, ["input": input])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["child"] == .null)
      }
      #expect(try await ada.everything()["data.family.children"] == [])
    }
  }

  private static let unreadable: [Value] = [
    ["birth": [:]], ["birth": ["age": 8, "dateOfBirth": "2018-01-01"]], ["birth": ["age": nil]], ["birth": nil],
    ["birth": ["age": "eight"]], ["birth": ["age": 8.5]], ["birth": ["dateOfBirth": "2019-02-29"]],
    ["birth": ["dateOfBirth": "29.2.2020"]], ["name": nil], ["name": ["Mia", "Ben"]], ["theme": "PINK"],
  ]

  @Test func `an invalid birth, or a name that is not text, is a validation error`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      await checkEach(Self.unreadable) { fault in
        let input = (["name": "Mia", "birth": ["age": 8]] as Value).merging(fault)
        let answer = try await ada.parent.post(Documents.addChild, ["input": input])
        #expect(answer.status == 422, "\(fault)")
        #expect(answer.codes.allSatisfy { $0 == "BAD_USER_INPUT" } && !answer.codes.isEmpty, "\(fault)")
        #expect(answer.json["errors.0.message"].string?.contains("$input") == true, "\(fault)")
        #expect(try await ada.everything()["data.family.children"] == [], "\(fault)")
      }
    }
  }

  /// The input, and the stored value in NFC.
  static let names = [
    "Mia", "Zoe\u{308}", "Ελένη", "Мария", "美亜", "지민", "مريم", "מרים", "मीरा", "ไหม", "ሚያ", "O’Neill-Smith",
    "Nguyễn Thị Mai", "\u{1112}\u{1161}\u{11AB}", "👩‍👩‍👧‍👦", "🇫🇷 🇩🇪", "👨‍👩‍👧‍👦 👩🏽‍🚀 👨‍👩‍👧‍👦", "<b>&\"Mia\"</b>", "'; DROP TABLE child; --",
    "ß", "ﬃ ﬃ",
    "\\u0000", "Ǆuro", "𝕄𝕚𝕒", "Z\u{301}\u{302}\u{303}oe", "<\u{301}Mia", "&\u{20DD} >\u{334}", "\u{FFFE}Mia",
    "👩🏽‍❤️‍💋‍👨🏽 👩🏽‍❤️‍💋‍👨🏽", "M" + String(repeating: "\u{301}", count: 30),
  ]

  @Test func `names of every script come back as they are, normalised, with a picture that can be loaded`() async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for name in Self.names + [String(repeating: "👩‍👩‍👧‍👦", count: 100), String(repeating: "é", count: 100)] {
        let outcome = try await ada.parent.perform(
          Documents.addChild,
          ["input": ["name": .string(" " + name + " "), "birth": ["age": 8]]]
        )
        #expect(outcome.userErrors.isEmpty, "\(name)")
        let stored = try #require(outcome["child.name"].string, "\(name)")
        #expect(Array(stored.unicodeScalars) == Array(name.precomposedStringWithCanonicalMapping.unicodeScalars))
        try await expectPicture(outcome["child.avatar"], server, "\(name)")
      }
    }
  }

  /// Loads a picture by its url, as a client does.
  private func expectPicture(_ picture: Value, _ server: TestServer, _ comment: Comment) async throws {
    let url = try #require(picture["url"].string)
    let prefix = "http://127.0.0.1:\(server.port)"
    try #require(url.hasPrefix(prefix + "/media/"))
    let answer = try await server.http.get(String(url.dropFirst(prefix.count)))
    #expect(answer.status == 200, comment)
    #expect(answer.headers["content-type"] == picture["contentType"].string, comment)
    #expect(answer.body.count == picture["byteCount"].int, comment)
    let parser = XMLCheck(answer.body)
    #expect(parser.isWellFormed, comment)
  }

  @Test func `a name of one letter under a thousand marks is too long`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for field in ["name", "username"] {
        let marks = Value.string("mia" + String(repeating: "\u{301}", count: 20_000))
        let input = (["name": "Mia", "birth": ["age": 8]] as Value).setting(field, marks)
        let outcome = try await ada.parent.perform(Documents.addChild, ["input": input])
        #expect(outcome.userErrors == ["input.\(field) TOO_LONG"])
      }
    }
  }
}
