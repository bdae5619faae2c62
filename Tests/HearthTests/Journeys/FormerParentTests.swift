import TestSupport
import Testing

@testable import Hearth

@Suite("What a family sees of a parent who left")
struct FormerParentTests {
  private static let profile = """
    name firstName currentCity hometown company highSchools colleges socialMedia avatar { placeholder }
    """
  private static let byID = "query ($id: ID!) { node(id: $id) { ... on Person { \(profile) } } }"

  private static let full: Value = [
    "name": "Grace Hopper", "firstName": "Grace", "currentCity": "Arlington", "hometown": "New York",
    "company": "Navy", "highSchools": ["Wardlaw"], "colleges": ["Vassar", "Yale"],
    "socialMedia": ["https://grace.example"], "avatar": ["placeholder": false],
  ]
  private static let onlyName: Value = [
    "name": "Grace Hopper", "firstName": "Grace", "currentCity": nil, "hometown": nil, "company": nil,
    "highSchools": [], "colleges": [], "socialMedia": [], "avatar": ["placeholder": true],
  ]

  @Test func `its children see the name, and its parents what every adult sees`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let child = try await ada.signIn("mia")
      let stranger = try await Household("Browning Duncan", on: server)
      func person(seenBy client: Client) async throws -> Value {
        try await client.ask(Self.byID, ["id": .string(grace.personID)])["data.node"]
      }
      let input: Value = [
        "currentCity": "Arlington", "hometown": "New York", "company": "Navy", "highSchools": ["Wardlaw"],
        "colleges": ["Vassar", "Yale"], "socialMedia": ["https://grace.example"],
      ]
      #expect(try await grace.parent.perform(Documents.updateProfile, ["input": input]).userErrors == [])
      let files = ["avatar": SamplePicture.png()]
      #expect(try await grace.parent.perform(Documents.updateAccount, [:], files: files).userErrors == [])
      for client in [ada.parent, child, stranger.parent] {
        #expect(try await person(seenBy: client) == Self.full)
      }
      let parents = try await child.ask("{ family { parents { \(Self.profile) } } }")["data.family.parents"]
      #expect(parents.list.contains(Self.full), "\(parents)")

      let password: Value = ["password": .string(Household.password)]
      #expect(try await grace.parent.perform(Documents.leaveFamily, password).userErrors == [])
      #expect(try await person(seenBy: child) == Self.onlyName)
      for client in [ada.parent, stranger.parent] { #expect(try await person(seenBy: client) == Self.full) }

      #expect(try await grace.parent.perform(Documents.deactivate, password).userErrors == [])
      for client in [ada.parent, child] { #expect(try await person(seenBy: client) == Self.onlyName) }
      #expect(try await person(seenBy: stranger.parent) == .null)
    }
  }
}
