import Testing

@testable import Hearth

@Suite("A1: register")
struct A01RegisterTests {
  @Test func `a registration makes an account with a family of its own and signs it in`() async throws {
    try await TestServer.run { server in
      let outcome = try await server.visitor.perform(
        Documents.register,
        [
          "input": [
            "email": " Ada@Example.com ", "password": "correct horse battery", "firstName": "Ada",
            "middleName": "King", "lastName": "Lovelace", "dateOfBirth": "1988-12-10", "gender": "FEMALE",
            "phone": "+44 20 7946 0000",
          ]
        ]
      )
      #expect(outcome.userErrors.isEmpty)
      let credentials = outcome["credentials"]
      #expect(credentials["tokenType"] == "Bearer")
      #expect(credentials["expiresAt"] == "2026-11-21T08:15:00Z")
      let viewer = credentials["viewer"]
      #expect(viewer["__typename"] == "Account")
      #expect(viewer["email"] == "Ada@Example.com")
      #expect(viewer["phone"] == "+44 20 7946 0000")
      #expect(viewer["name"] == "Ada King Lovelace")
      #expect(viewer["dateOfBirth"] == "1988-12-10")
      #expect(viewer["gender"] == "FEMALE")
      #expect(viewer["family.name"] == "Lovelace family")
      let ada = server.visitor.with(token: credentials["accessToken"].string)
      #expect(try await ada.ask("{ viewer { ... on Account { id } } }")["data.viewer.id"] == viewer["id"])
    }
  }

  private static let names: [(given: Value, expected: [String?])] = [
    (["name": "Ada"], ["Ada", "Ada", nil, nil]),
    (["name": "Ada Lovelace"], ["Ada Lovelace", "Ada", nil, "Lovelace"]),
    (["name": "Ada King Byron Lovelace"], ["Ada King Byron Lovelace", "Ada", "King Byron", "Lovelace"]),
    (["firstName": "Ada"], ["Ada", "Ada", nil, nil]),
    (["firstName": "Ada", "lastName": "Lovelace"], ["Ada Lovelace", "Ada", nil, "Lovelace"]),
    (["name": "Countess", "firstName": "Ada", "lastName": "Lovelace"], ["Countess", "Ada", nil, "Lovelace"]),
    (["lastName": "Lovelace"], ["Lovelace", "Lovelace", nil, nil]),
    (["name": "Ada", "lastName": "Lovelace"], ["Ada Lovelace", "Ada", nil, "Lovelace"]),
    (["name": "Ada King", "lastName": "Lovelace"], ["Ada King Lovelace", "Ada", "King", "Lovelace"]),
    (["name": "Ada King", "middleName": "B"], ["Ada B King", "Ada", "B", "King"]),
    (["name": "Ada Kling Berg", "lastName": "Kling Berg"], ["Ada Kling Berg", "Ada", nil, "Kling Berg"]),
    (["lastName": "Kling Berg"], ["Kling Berg", "Kling Berg", nil, nil]),
    (["middleName": "Q", "lastName": "Kling Berg"], ["Q Kling Berg", "Q", nil, "Kling Berg"]),
    (["name": "Ada King", "middleName": "King"], ["Ada King", "Ada", "King", nil]),
    (["name": "Ada", "firstName": "Ada"], ["Ada", "Ada", nil, nil]),
    (["name": "Ada Lovelace", "firstName": "Ada"], ["Ada Lovelace", "Ada", nil, "Lovelace"]),
    (["name": "Ada King Lovelace", "firstName": "Ada"], ["Ada King Lovelace", "Ada", "King", "Lovelace"]),
    (["name": "Ada Mae King", "firstName": "Ada Mae"], ["Ada Mae King", "Ada Mae", nil, "King"]),
    (["name": "Bob Allan Smith", "firstName": "Robert"], ["Bob Allan Smith", "Robert", "Allan", "Smith"]),
    (["name": "Ada King", "firstName": "Ada", "middleName": "King"], ["Ada King", "Ada", "King", nil]),
    (
      ["name": "Ada King Lovelace", "firstName": "Ada", "middleName": "B"],
      ["Ada King Lovelace", "Ada", "B", "Lovelace"]
    ),
    (
      ["name": "Ada King Lovelace", "firstName": "Ada", "lastName": "Lovelace"],
      ["Ada King Lovelace", "Ada", "King", "Lovelace"]
    ),
    (
      ["name": "Dr. Ada Lovelace", "firstName": "Ada", "lastName": "Lovelace"],
      ["Dr. Ada Lovelace", "Ada", nil, "Lovelace"]
    ),
  ]

  @Test func `a name may be whole or in parts`() async throws {
    try await TestServer.run { server in
      var number = 0
      await checkEach(Self.names) { given, expected in
        number += 1
        let form = Household.form("ada\(number)@example.com").setting("name", .null).merging(given)
        let outcome = try await server.visitor.perform(Documents.register, ["input": form])
        let viewer = outcome["credentials.viewer"]
        let names = ["name", "firstName", "middleName", "lastName"].map { viewer[$0].string }
        #expect(names == expected, "\(given)")
      }
    }
  }

  @Test func `names that follow from others have room for what a name may have`() async throws {
    try await TestServer.run { server in
      let long = String(repeating: "y", count: 100)
      let given: Value = ["name": nil, "firstName": "Ada", "middleName": .string(long), "lastName": .string(long)]
      let form = Household.form("ada@example.com").merging(given)
      let outcome = try await server.visitor.perform(Documents.register, ["input": form])
      let viewer = outcome["credentials.viewer"]
      #expect(viewer["name"] == .string("Ada " + long.prefix(96)))
      #expect(viewer["family.name"] == .string(long.prefix(93) + " family"))
      let ada = server.visitor.with(token: outcome["credentials.accessToken"].string)
      for (document, name) in [(Documents.updateAccount, "name"), (Documents.updateFamily, "family.name")] {
        #expect(try await ada.perform(document, ["input": ["name": viewer[name]]]).userErrors == [])
      }
    }
  }

  /// It is 21 November in UTC, and after 22:00 on the islands.
  @Test func `a date of birth is today's in the time zone of the family, and its age is never negative`() async throws {
    try await TestServer.run { server in
      server.clock.advance(seconds: 6 * 3_600)
      let form = Household.form("ada@example.com").setting("dateOfBirth", "2026-11-22")
      for (zone, errors) in [("UTC", ["input.dateOfBirth OUT_OF_RANGE"]), ("Pacific/Kiritimati", [])] {
        let outcome = try await server.visitor.perform(
          Documents.register,
          ["input": form.setting("timeZone", .string(zone))]
        )
        #expect(outcome.userErrors == errors, "\(zone)")
        guard errors.isEmpty else { continue }
        let ada = server.visitor.with(token: outcome["credentials.accessToken"].string)
        for zone in ["Pacific/Kiritimati", "UTC"] as [Value] {
          _ = try await ada.perform(Documents.updateFamily, ["input": ["timeZone": zone]])
          #expect(try await ada.ask("{ family { parents { age } } }")["data.family.parents.0.age"] == 0)
        }
      }
    }
  }

  @Test func `ages are of the day in the time zone that a field before has set`() async throws {
    try await TestServer.run { server in
      server.clock.advance(seconds: 6 * 3_600)
      let form = Household.form("ada@example.com").setting("dateOfBirth", "1990-11-22")
      let outcome = try await server.visitor.perform(Documents.register, ["input": form])
      let ada = server.visitor.with(token: outcome["credentials.accessToken"].string)
      let update = { (zone: String) in
        #"updateFamily(input: {timeZone: "\#(zone)"}) { family { parents { age } } }"#
      }
      let answer = try await ada.ask("mutation { a: \(update("UTC")) b: \(update("Pacific/Kiritimati")) }")
      #expect(answer["data.a.family.parents.0.age"] == 35)
      #expect(answer["data.b.family.parents.0.age"] == 36)
    }
  }

  static let rejected: [(Value, [String])] = [
    (["email": ""], ["input.email BLANK"]),
    (["email": "  \n "], ["input.email BLANK"]),
    (["email": "ada"], ["input.email INVALID"]),
    (["email": "ada@"], ["input.email INVALID"]),
    (["email": "@example.com"], ["input.email INVALID"]),
    (["email": "ada@example"], ["input.email INVALID"]),
    (["email": "ada@@example.com"], ["input.email INVALID"]),
    (["email": "a da@example.com"], ["input.email INVALID"]),
    (["email": "ada@exa_mple.com"], ["input.email INVALID"]),
    (["email": "ada..l@example.com"], ["input.email INVALID"]),
    (["email": "ada\u{0}@example.com"], ["input.email INVALID"]),
    (["email": .string(String(repeating: "a", count: 250) + "@b.cc")], ["input.email TOO_LONG"]),
    (["password": ""], ["input.password BLANK"]),
    (["password": "1234567"], ["input.password TOO_SHORT"]),
    (["password": .string(String(repeating: "p", count: 257))], ["input.password TOO_LONG"]),
    (["passwordConfirmation": "correct horse batterz"], ["input.passwordConfirmation MISMATCH"]),
    (["name": nil], ["input.name BLANK"]),
    (["name": "   "], ["input.name BLANK"]),
    (["name": .string(String(repeating: "n", count: 101))], ["input.name TOO_LONG"]),
    (["name": "Ada\u{7}Lovelace"], ["input.name INVALID"]),
    (["name": "\u{200B}"], ["input.name BLANK"]),
    (["name": "\u{2800} \u{3164}\u{FEFF}\u{AD}\u{2060}"], ["input.name BLANK"]),
    (["name": "Ada\nLovelace"], ["input.name INVALID"]),
    (["firstName": .string(String(repeating: "n", count: 101))], ["input.firstName TOO_LONG"]),
    (["dateOfBirth": nil], ["input.dateOfBirth BLANK"]),
    (["dateOfBirth": "2026-11-23"], ["input.dateOfBirth OUT_OF_RANGE"]),
    (["dateOfBirth": "1896-11-20"], ["input.dateOfBirth OUT_OF_RANGE"]),
    (["phone": .string(String(repeating: "1", count: 41))], ["input.phone TOO_LONG"]),
    (["phone": "abc"], ["input.phone INVALID"]),
    (["phone": "12"], ["input.phone INVALID"]),
    (["acceptTerms": false], ["input.acceptTerms NOT_ALLOWED"]),
    (
      [
        "email": "ada", "password": "short", "passwordConfirmation": "other", "name": " ", "dateOfBirth": "2030-01-01",
        "phone": "\u{1B}[0m", "acceptTerms": false,
      ],
      [
        "input.acceptTerms NOT_ALLOWED", "input.dateOfBirth OUT_OF_RANGE", "input.email INVALID", "input.name BLANK",
        "input.password TOO_SHORT", "input.passwordConfirmation MISMATCH", "input.phone INVALID",
      ]
    ),
  ]

  @Test func `all invalid fields are reported at once, and nobody is registered`() async throws {
    try await TestServer.run { server in
      let visitor = server.visitor
      for (fault, expected) in Self.rejected {
        let form = Household.form("ada@example.com").merging(fault)
        let outcome = try await visitor.perform(Documents.register, ["input": form])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["credentials"] == .null)
        #expect(outcome["userErrors"].list.allSatisfy { ($0["message"].string ?? "").hasSuffix(".") })
      }
      // None of them has left anything behind.
      _ = try await Household(on: server)
    }
  }

  @Test func `a registered address is rejected, in any letter case`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      await checkEach(["ada@example.com", "ADA@EXAMPLE.COM", "Ada@Example.Com", "  ada@example.com\t"]) { again in
        let outcome = try await server.visitor.perform(Documents.register, ["input": Household.form(again)])
        #expect(outcome.userErrors == ["input.email TAKEN"], "\(again)")
      }
    }
  }

  @Test func `of many who register one address at the same moment, one gets it`() async throws {
    try await TestServer.run { server in
      let outcomes = try await withThrowingTaskGroup { group in
        for number in 0..<8 {
          let form = Household.form(number.isMultiple(of: 2) ? "ada@example.com" : "ADA@example.com")
          group.addTask { try await server.visitor.perform(Documents.register, ["input": form]).userErrors }
        }
        return try await group.reduce(into: [[String]]()) { $0.append($1) }
      }
      #expect(outcomes.count { $0.isEmpty } == 1)
      #expect(outcomes.count { $0 == ["input.email TAKEN"] } == 7)
    }
  }

  @Test func `a variable of the wrong shape is rejected by name`() async throws {
    try await TestServer.run { server in
      for (input, expected) in [
        (["email": 1, "password": "correct horse"], "input.email"),
        (["email": "ada@example.com"], "password"),
        (["email": "a@b.cc", "password": "correct horse", "dateOfBirth": "2026-02-30"], "input.dateOfBirth"),
        (["email": "a@b.cc", "password": "correct horse", "gender": "CAT"], "input.gender"),
        (["email": "a@b.cc", "password": "correct horse", "shoeSize": 42], "shoeSize"),
      ] as [(Value, String)] {
        let answer = try await server.visitor.post(Documents.register, ["input": input])
        #expect(answer.status == 422)
        #expect(answer.codes == ["BAD_USER_INPUT"])
        #expect(answer.json["errors.0.message"].string?.contains(expected) == true, "\(answer.text)")
        #expect(answer.json["data"] == .null)
      }
    }
  }
}
