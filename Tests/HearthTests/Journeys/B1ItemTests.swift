import Testing

@testable import Hearth

@Suite("B1, B2, B3, B5: items")
struct B1ItemTests {
  @Test func `an item has a name, and the placeholder shows its initial`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Documents.addItem, ["input": ["name": " élan vital "]])
      #expect(outcome.userErrors.isEmpty)
      let item = outcome["item"]
      #expect(item["name"] == "élan vital")
      #expect(item["family.id"] == .string(ada.familyID))
      #expect(item["createdBy.id"] == .string(ada.personID))
      #expect(item["createdAt"] == "2026-11-21T08:00:00Z")
      #expect(item["photo.placeholder"] == true)
      #expect(item["photo.contentType"] == "image/svg+xml")
      let url = try #require(item["photo.url"].string)
      let picture = try await server.http.get(String(url.dropFirst("http://127.0.0.1:\(server.port)".count)))
      #expect(picture.status == 200)
      #expect(picture.body.count == item["photo.byteCount"].int)
      #expect(picture.text.contains(">É</text>"))
    }
  }

  @Test func `the newest come first, an item is renamed and removed, and siblings see so`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let tent = try await ada.addItem("Tent")
      let rope = try await ada.addItem("Rope")
      let again = try await ada.addItem("Tent")
      let renamed = try await ada.parent.perform(
        Documents.updateItem,
        ["input": ["id": .string(rope), "name": " Long rope "]]
      )
      #expect(renamed["item.name"] == "Long rope")
      #expect(try await ada.parent.perform(Documents.updateItem, ["input": ["id": .string(rope)]]) == renamed)
      let list = "{ family { items { totalCount nodes { id name } } } }"
      for client in [ada.parent, try await ada.signIn("mia")] {
        #expect(
          try await client.ask(list)["data.family.items"] == [
            "totalCount": 3,
            "nodes": [
              ["id": .string(again), "name": "Tent"], ["id": .string(rope), "name": "Long rope"],
              ["id": .string(tent), "name": "Tent"],
            ],
          ]
        )
      }
      let removed = try await ada.parent.perform(Documents.removeItem, ["id": .string(again)])
      #expect(removed["removedId"] == .string(again))
      #expect(try await ada.parent.ask(list)["data.family.items.nodes"].each("id") == [.string(rope), .string(tent)])
      #expect(
        try await ada.parent.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": .string(again)])
          == ["data": ["node": nil]]
      )
      #expect(
        try await ada.parent.perform(Documents.removeItem, ["id": .string(again)]).userErrors == ["id NOT_FOUND"]
      )
    }
  }

  @Test func `a name is from 1 to 100 characters, and nothing is saved when it is not`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let tent = try await ada.addItem("Tent")
      let before = try await ada.everything()
      let rejected: [(Value, [String])] = [
        ("", ["input.name BLANK"]), (" \t", ["input.name BLANK"]), ("T\u{0}", ["input.name INVALID"]),
        (.string(String(repeating: "t", count: 101)), ["input.name TOO_LONG"]),
      ]
      for (name, expected) in rejected {
        let added = try await ada.parent.perform(Documents.addItem, ["input": ["name": name]])
        #expect(added.userErrors == expected)
        #expect(added["item"] == .null)
        let input: Value = ["id": .string(tent), "name": name]
        #expect(try await ada.parent.perform(Documents.updateItem, ["input": input]).userErrors == expected)
      }
      let both: Value = ["id": "nonsense", "name": nil]
      #expect(
        try await ada.parent.perform(Documents.updateItem, ["input": both]).userErrors
          == ["input.id NOT_FOUND", "input.name BLANK"]
      )
      #expect(try await ada.everything() == before)
      let longest = String(repeating: "ü", count: 100)
      #expect(try await ada.parent.perform(Documents.addItem, ["input": ["name": .string(longest)]]).userErrors.isEmpty)
    }
  }
}
