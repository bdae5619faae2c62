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

  @Test(arguments: [Documents.deactivate, Documents.deleteAccount])
  func `its members see only the name of a deactivated account, until the person returns`(document: String)
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let child = try await ada.signIn("mia")
      let chore = try await ada.addChore()
      _ = try await grace.parent.perform(Documents.updateProfile, ["input": ["company": "Navy"]])
      _ = try await grace.parent.perform(Documents.updateAccount, ["input": ["gender": "FEMALE"]])
      #expect(try await grace.parent.perform(Documents.finishChore, ["id": .string(chore)]).userErrors == [])
      let fields = "name dateOfBirth age gender company"
      func views(_ client: Client) async throws -> [Value] {
        let byID = "query ($id: ID!) { node(id: $id) { ... on Person { \(fields) } } }"
        let byChore = """
          query ($id: ID!) { node(id: $id) { ... on Chore { finishedBy { ... on Person { \(fields) } } } } }
          """
        return [
          try await client.ask(byID, ["id": .string(grace.personID)])["data.node"],
          try await client.ask(byChore, ["id": .string(chore)])["data.node.finishedBy"],
        ]
      }
      let active: Value = [
        "name": "Grace Hopper", "dateOfBirth": "1988-12-10", "age": 37, "gender": "FEMALE", "company": "Navy",
      ]
      let deactivated: Value = [
        "name": "Grace Hopper", "dateOfBirth": nil, "age": nil, "gender": "UNSPECIFIED", "company": nil,
      ]
      for client in [ada.parent, child] { #expect(try await views(client) == [active, active]) }
      #expect(try await grace.parent.perform(document, ["password": .string(Household.password)]).userErrors == [])
      for client in [ada.parent, child] { #expect(try await views(client) == [deactivated, deactivated]) }
      #expect(try await grace.reactivate(on: server).userErrors == [])
      for client in [ada.parent, child] { #expect(try await views(client) == [active, active]) }
    }
  }

  @Test func `messages name those whom its history names`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let lisa = try await Household("Lisa Shoemaker", on: server)
      for other in [grace, lisa] { try await ada.admit(other, on: server) }
      let password: Value = ["password": .string(Household.password)]
      #expect(try await lisa.parent.perform(Documents.leaveFamily, password).userErrors == [])
      for other in [lisa, grace] {
        #expect(try await other.parent.perform(Documents.deactivate, password).userErrors == [])
      }
      let document = """
        { viewer { ... on Account { notifications(first: 2) { nodes {
          message ... on ParentLeftNotification { parent { name } } } } } } }
        """
      let left: [Value] = ["Grace Hopper", "Lisa Shoemaker"].map { name in
        ["message": .string("\(name) left your family."), "parent": ["name": .string(name)]]
      }
      #expect(try await ada.parent.ask(document)["data.viewer.notifications.nodes"] == .array(left))
    }
  }
}
