import Testing

@testable import Hearth

@Suite("A12 to A14: edit a child, oneself as parent, oneself as child")
struct A12EditTests {
  @Test func `a parent changes a child, and what is absent stays`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let all: Value = [
        "id": .string(mia), "name": " Mia Maria ", "dateOfBirth": "2016-02-29", "gender": "FEMALE", "theme": "OCEAN",
      ]
      let outcome = try await ada.parent.perform(Documents.updateChild, ["input": all])
      #expect(outcome.userErrors.isEmpty)
      let url = "http://127.0.0.1:\(server.port)/media/placeholder/ocean/initials-4d4d.svg"
      let changed: Value = [
        "id": .string(mia), "name": "Mia Maria", "username": "mia", "dateOfBirth": "2016-02-29", "age": 10,
        "gender": "FEMALE", "theme": "OCEAN", "avatar": ["url": .string(url)],
      ]
      #expect(outcome["child"] == changed)
      let nothing = try await ada.parent.perform(Documents.updateChild, ["input": ["id": .string(mia)]])
      #expect(nothing["child"] == changed)
      let name = try await ada.parent.perform(Documents.updateChild, ["input": ["id": .string(mia), "name": "Mia"]])
      #expect(name["child.name"] == "Mia")
      #expect(name["child.theme"] == "OCEAN")
      let cleared = try await ada.parent.perform(
        Documents.updateChild,
        ["input": ["id": .string(mia), "gender": nil, "theme": nil]]
      )
      #expect(cleared["child.gender"] == "UNSPECIFIED")
      #expect(cleared["child.theme"] == "SUNRISE")
      #expect(cleared["child.dateOfBirth"] == "2016-02-29")
    }
  }

  @Test func `a child changes itself, and nobody else`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben")
      let child = try await ada.signIn("mia")
      // The same data as a sibling's is fine.
      let own = try await child.perform(Documents.updateChild, ["input": ["id": .string(mia), "name": "Ben"]])
      #expect(own["child.name"] == "Ben")
      for id in [ben, ada.personID, ada.accountID] + OtherFamiliesTests.nothing {
        let outcome = try await child.perform(Documents.updateChild, ["input": ["id": .string(id), "name": "Zoë"]])
        #expect(outcome.codes == ["FORBIDDEN"])
      }
      #expect(try await ada.everything()["data.family.children"].each("name") == ["Ben", "Ben"])
    }
  }

  @Test func `all invalid fields of a child are reported at once, and nothing changes`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let before = try await ada.everything()
      let rejected: [(Value, [String])] = [
        (["name": " "], ["input.name BLANK"]),
        (["name": nil], ["input.name BLANK"]),
        (["name": "M\u{0}"], ["input.name INVALID"]),
        (["name": .string(String(repeating: "m", count: 101))], ["input.name TOO_LONG"]),
        (["dateOfBirth": nil], ["input.dateOfBirth BLANK"]),
        (["dateOfBirth": "2026-11-22"], ["input.dateOfBirth OUT_OF_RANGE"]),
        (["dateOfBirth": "1890-01-01"], ["input.dateOfBirth OUT_OF_RANGE"]),
        (
          ["id": "nobody", "name": "", "dateOfBirth": "2030-01-01"],
          ["input.dateOfBirth OUT_OF_RANGE", "input.id NOT_FOUND", "input.name BLANK"]
        ),
      ]
      for (fault, expected) in rejected {
        let input = (["id": .string(mia), "name": "Changed", "theme": "CANDY"] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.updateChild, ["input": input])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["child"] == .null)
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `a parent changes themselves, a name in one piece or in parts`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      func update(_ input: Value) async throws -> Value {
        let outcome = try await ada.parent.perform(Documents.updateAccount, ["input": input])
        #expect(outcome.userErrors.isEmpty)
        return outcome["account"]
      }
      let whole = try await update([
        "name": "Augusta Ada King", "dateOfBirth": "1990-12-10", "gender": "FEMALE", "theme": "FOREST",
        "phone": " 0123 ",
      ])
      let url = "http://127.0.0.1:\(server.port)/media/placeholder/forest/initials-414b.svg"
      #expect(
        whole == [
          "id": .string(ada.accountID), "name": "Augusta Ada King", "firstName": "Augusta", "middleName": "Ada",
          "lastName": "King", "dateOfBirth": "1990-12-10", "gender": "FEMALE", "theme": "FOREST", "phone": "0123",
          "person": ["name": "Augusta Ada King"], "avatar": ["url": .string(url)],
        ]
      )
      #expect(try await update([:]) == whole)
      let parts = try await update(["firstName": "Ada", "middleName": nil])
      #expect(parts["name"] == "Ada King")
      #expect(parts["middleName"] == .null)
      #expect(parts["lastName"] == "King")
      let both = try await update(["name": "Countess of Lovelace", "lastName": "Lovelace"])
      #expect(both["name"] == "Countess of Lovelace")
      #expect(both["firstName"] == "Ada")
      #expect(both["lastName"] == "Lovelace")
      let cleared = try await update(["phone": nil, "gender": nil, "theme": nil])
      #expect(cleared["phone"] == .null)
      #expect(cleared["gender"] == "UNSPECIFIED")
      #expect(cleared["theme"] == "SUNRISE")
      #expect(cleared["name"] == "Countess of Lovelace")
    }
  }

  @Test func `all invalid fields of an account are reported at once, and nothing changes`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let before = try await ada.parent.perform(Documents.updateAccount, ["input": [:]])
      let rejected: [(Value, [String])] = [
        (["name": ""], ["input.name BLANK"]),
        (["name": nil], ["input.name BLANK"]),
        (["firstName": " "], ["input.firstName BLANK"]),
        (["lastName": "\u{7}"], ["input.lastName INVALID"]),
        (["dateOfBirth": nil], ["input.dateOfBirth BLANK"]),
        (["dateOfBirth": "2026-11-22"], ["input.dateOfBirth OUT_OF_RANGE"]),
        (["phone": .string(String(repeating: "1", count: 41))], ["input.phone TOO_LONG"]),
        (["phone": "call me: 0123 4567"], ["input.phone INVALID"]),
        (
          ["name": "", "dateOfBirth": "2030-01-01", "phone": "\u{1}"],
          ["input.dateOfBirth OUT_OF_RANGE", "input.name BLANK", "input.phone INVALID"]
        ),
      ]
      for (fault, expected) in rejected {
        let input = (["theme": "CANDY"] as Value).merging(fault)
        let outcome = try await ada.parent.perform(Documents.updateAccount, ["input": input])
        #expect(outcome.userErrors == expected, "\(fault)")
        #expect(outcome["account"] == .null)
      }
      #expect(try await ada.parent.perform(Documents.updateAccount, ["input": [:]]) == before)
    }
  }

  @Test func `a deployment that requires no date of birth allows removing it`() async throws {
    try await TestServer.run(configure: { $0.registrationRequires = ["name"] }) { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Documents.updateAccount, ["input": ["dateOfBirth": nil]])
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["account.dateOfBirth"] == .null)
    }
  }
}
