import Testing

@testable import Hearth

@Suite("D1: sign up in steps, each of which may be left out and done later")
struct D01SignUpStepsTests {
  @Test func `account, profile, phone and address, as the address book's app does it`() async throws {
    try await TestServer.run { server in
      let user = try await Household(on: server, email: "kloudbookUser@gmail.com", name: "Kloudbook User")
      let fresh = try await user.sees(user)
      #expect(fresh["currentCity"] == .null)
      #expect(fresh["highSchools"] == [])
      #expect(fresh["contactInfo"] == [])
      #expect(fresh["relation"] == "SELF")
      #expect(fresh["memberSince"] == "2026-11-21T08:00:00Z")

      let profile = try await user.parent.perform(
        Documents.updateProfile,
        [
          "input": [
            "highSchools": ["Weston"], "colleges": ["UMass Amherst"], "company": "Google", "currentCity": "Palo Alto",
            "hometown": " Weston ",
          ]
        ]
      )
      #expect(profile.userErrors.isEmpty)
      #expect(profile["person.hometown"] == "Weston")
      #expect(profile["person.colleges"] == ["UMass Amherst"])

      let phone = try await user.addInfo("PERSONAL", ["phone": ["number": "555-555-5555"]])
      #expect(
        phone["phone"] == [
          "number": "5555555555", "countryCode": "1", "extension": nil, "e164": "+15555555555",
          "formatted": "+1 555-555-5555",
        ]
      )
      #expect(phone["kind"] == "PHONE")
      #expect(phone["email"] == .null)
      #expect(phone["address"] == .null)
      try await user.addInfo("SCHOOL", ["address": ["line1": "UMass Amherst", "city": "Amherst"]])
      try await user.addInfo("WORK", ["email": "User@Google.com"], primary: true)
      let seen = try await user.sees(user)
      #expect(
        BrowningDuncan.shown(seen) == [
          "WORK User@Google.com", "SCHOOL UMass Amherst, Amherst", "PERSONAL +1 555-555-5555",
        ]
      )
    }
  }

  @Test func `absent fields of a profile stay unchanged, and null clears them`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let update: (Value) async throws -> Value = { input in
        try await ada.parent.perform(Documents.updateProfile, ["input": input])["person"]
      }
      _ = try await update([
        "company": "Ziore", "colleges": ["One", "Two", "One"], "socialMedia": ["https://example.com/ada"],
      ])
      let kept = try await update([:])
      #expect(kept["company"] == "Ziore")
      #expect(kept["colleges"] == ["One", "Two"])
      #expect(kept["socialMedia"] == ["https://example.com/ada"])
      let less = try await update(["company": nil, "colleges": []])
      #expect(less["company"] == .null)
      #expect(less["colleges"] == [])
      #expect(less["socialMedia"] == ["https://example.com/ada"])
    }
  }

  @Test func `all errors of a profile are reported at once, and nothing is changed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let before = try await ada.contactBook()
      let long = Value.string(String(repeating: "x", count: 101))
      let outcome = try await ada.parent.perform(
        Documents.updateProfile,
        [
          "input": [
            "currentCity": long, "company": "a\u{7}b", "highSchools": ["Weston", " ", "a\nb"],
            "colleges": Value((0...20).map { "College \($0)" }),
            "socialMedia": [
              "javascript:alert(1)", " ", "https://example.com", "javascript:\u{FF9E}=alert(1)", "data:\u{301},",
            ],
            "hometown": "Amherst",
          ]
        ]
      )
      #expect(
        outcome.userErrors == [
          "input.colleges TOO_LONG", "input.company INVALID", "input.currentCity TOO_LONG",
          "input.highSchools.1 BLANK", "input.highSchools.2 INVALID", "input.socialMedia.0 INVALID",
          "input.socialMedia.1 BLANK", "input.socialMedia.3 INVALID", "input.socialMedia.4 INVALID",
        ]
      )
      #expect(outcome["person"] == .null)
      #expect(try await ada.contactBook() == before)
    }
  }

  private static let wrongDetails: [(Value, [String])] = [
    (["email": "nonsense"], ["info.email INVALID"]),
    (["email": " "], ["info.email BLANK"]),
    (["phone": ["number": "12"]], ["info.phone.number INVALID"]),
    (["phone": ["number": "hello"]], ["info.phone.number INVALID"]),
    (
      ["phone": ["number": " ", "countryCode": "1234", "extension": "x1"]],
      ["info.phone.countryCode INVALID", "info.phone.extension INVALID", "info.phone.number BLANK"]
    ),
    (["phone": ["number": "020 7946 0958", "countryCode": "999"]], ["info.phone.countryCode INVALID"]),
    (["phone": ["number": "020 7946 0958", "countryCode": "XX"]], ["info.phone.countryCode INVALID"]),
    (["phone": ["number": "+33 1 42 68 53 00", "countryCode": "ZZ"]], ["info.phone.countryCode INVALID"]),
    (["address": ["line1": "", "city": "\u{0}"]], ["info.address.city INVALID", "info.address.line1 BLANK"]),
  ]

  @Test func `a contact detail that is wrong`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      await checkEach(Self.wrongDetails) { info, expected in
        let outcome = try await ada.parent.perform(
          Documents.addContactInfo,
          ["scope": "WORK", "info": info, "label": "a\u{7}"]
        )
        #expect(outcome.userErrors == (expected + ["label INVALID"]).sorted(), "\(info)")
        #expect(try await ada.sees(ada)["contactInfo"] == [], "\(info)")
      }
    }
  }

  private static let numbers: [(Value, String)] = [
    (["number": "020 7946 0958", "countryCode": "44"], "+44 20 7946 0958"),
    (["number": "020 7946 0958", "countryCode": "GB"], "+44 20 7946 0958"),
    (["number": "020 7946 0958", "countryCode": "gb"], "+44 20 7946 0958"),
    (["number": "+33 1 42 68 53 00", "countryCode": "US"], "+33 1 42 68 53 00"),
    (["number": "(413) 555-5555", "extension": "12"], "+1 413-555-5555 ext. 12"),
    (["number": "(413) 555-5555 x12"], "+1 413-555-5555 ext. 12"),
  ]

  @Test func `a phone number is read as people write it`() async throws {
    try await TestServer.run { server in
      var number = 0
      await checkEach(Self.numbers) { phone, expected in
        // A family of its own, because some of them are the same number.
        number += 1
        let ada = try await Household(on: server, email: "ada\(number)@example.com")
        let added = try await ada.addInfo("WORK", ["phone": phone])
        #expect(added["phone.formatted"] == .string(expected), "\(phone)")
      }
    }
  }

  @Test func `a number without a country calling code is one of the server's region`() async throws {
    try await TestServer.run(configure: { $0.phoneRegion = "GB" }) { server in
      let ada = try await Household(on: server)
      for (number, expected) in [("020 7946 0958", "+442079460958"), ("+1 413 555 5555", "+14135555555")] {
        let added = try await ada.addInfo("WORK", ["phone": ["number": .string(number)]])
        #expect(added["phone.e164"] == .string(expected))
      }
    }
  }

  @Test func `a contact detail is changed, moved and removed; one of a kind is the first to try`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let first = try await ada.addInfo("WORK", ["email": "a@example.com"], label: "Desk", primary: true)
      let second = try await ada.addInfo("WORK", ["email": "b@example.com"], primary: true)
      let phone = try await ada.addInfo("WORK", ["phone": ["number": "413 555 5555"]], primary: true)
      var seen = try await ada.sees(ada)["contactInfo"]
      #expect(seen.each("primary") == [false, true, true])
      #expect(seen.each("id") == [first["id"], second["id"], phone["id"]])

      let moved = try await ada.parent.perform(
        Documents.updateContactInfo,
        ["id": first["id"], "info": ["phone": ["number": "413 555 5556"]], "scope": "PERSONAL", "primary": true]
      )
      #expect(moved["contactInfo.label"] == "Desk")
      #expect(moved["contactInfo.kind"] == "PHONE")
      #expect(moved["contactInfo.email"] == .null)
      #expect(moved["contactInfo.phone.number"] == "4135555556")
      let unnamed = try await ada.parent.perform(
        Documents.updateContactInfo,
        ["id": first["id"], "info": ["email": "c@example.com"], "label": nil]
      )
      #expect(unnamed["contactInfo.label"] == .null)
      #expect(unnamed["contactInfo.scope"] == "PERSONAL")
      #expect(unnamed["contactInfo.primary"] == true)
      seen = try await ada.sees(ada)["contactInfo"]
      #expect(seen.each("id") == [second["id"], phone["id"], first["id"]])

      // Without `info` the content stays.
      let described = try await ada.parent.ask(
        """
        mutation ($input: UpdateContactInfoInput!) {
          updateContactInfo(input: $input) { contactInfo { scope label primary email } userErrors { code } } }
        """,
        ["input": ["id": first["id"], "scope": "WORK", "label": "Main", "info": nil]]
      )["data.updateContactInfo"]
      let expected: Value = ["scope": "WORK", "label": "Main", "primary": true, "email": "c@example.com"]
      #expect(described == ["contactInfo": expected, "userErrors": []])
      seen = try await ada.sees(ada)["contactInfo"]
      #expect(seen.each("id") == [first["id"], second["id"], phone["id"]])
      #expect(seen.each("primary") == [true, false, true])

      let removed = try await ada.parent.perform(Documents.removeContactInfo, ["id": second["id"]])
      #expect(removed["removedId"] == second["id"])
      #expect(try await ada.sees(ada)["contactInfo"].each("id") == [first["id"], phone["id"]])
      #expect(
        try await ada.parent.perform(Documents.removeContactInfo, ["id": second["id"]]).userErrors == ["id NOT_FOUND"]
      )
    }
  }

  @Test func `a person has at most 100 contact details, and each that is removed makes room`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for start in stride(from: 0, to: 100, by: 20) {
        let fields = (start..<(start + 20)).map { number in
          #"a\#(number): addContactInfo(scope: WORK, info: {email: "a\#(number)@example.com"}) { userErrors { code } }"#
        }
        #expect(try await ada.parent.ask("mutation { \(fields.joined(separator: " ")) }")["errors"] == .null)
      }
      let details = try await ada.sees(ada)["contactInfo"]
      #expect(details.list.count == 100)
      let rejected = try await ada.parent.ask(
        """
        mutation { addContactInfo(scope: WORK, info: {email: "more@example.com"}) {
          contactInfo { id } userErrors { field code parameters { name value } } } }
        """
      )["data.addContactInfo"]
      let error: Value = ["field": ["info"], "code": "TOO_LONG", "parameters": [["name": "maximum", "value": "100"]]]
      #expect(rejected == ["contactInfo": nil, "userErrors": [error]])
      let removed = try await ada.parent.perform(Documents.removeContactInfo, ["id": details["0.id"]])
      #expect(removed["removedId"] == details["0.id"])
      try await ada.addInfo("WORK", ["email": "more@example.com"])
      #expect(try await ada.sees(ada)["contactInfo"].list.count == 100)
    }
  }

  @Test func `nobody changes another's details, whatever was shared`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let other = try await Household("Grace Hopper", on: server)
      let info = try await ada.addInfo("WORK", ["email": "a@example.com"])
      try await ada.befriend(other, sharing: ["WORK"])
      let before = try await ada.contactBook()
      let update = try await other.parent.perform(
        Documents.updateContactInfo,
        ["id": info["id"], "info": ["email": "nonsense"]]
      )
      #expect(update.userErrors == ["id NOT_FOUND", "info.email INVALID"])
      let removal = try await other.parent.perform(Documents.removeContactInfo, ["id": info["id"]])
      #expect(removal.userErrors == ["id NOT_FOUND"])
      #expect(try await ada.contactBook() == before)
    }
  }
}
