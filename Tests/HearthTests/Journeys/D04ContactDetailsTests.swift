import Testing

@testable import Hearth

@Suite("D4: a contact's details show only what they share")
struct D04ContactDetailsTests {
  static let all = ["WORK", "SCHOOL", "PERSONAL"]

  @Test func `all of it, where all is shared`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let user = try await Household("Kloudbook User", on: server)
      try await browning.household.befriend(user, sharing: Self.all)
      let seen = try await user.sees(browning.household)
      #expect(seen["firstName"] == "Browning")
      #expect(seen["lastName"] == "Duncan")
      #expect(seen["company"] == "Ziore")
      #expect(seen["colleges"] == ["duis University"])
      #expect(seen["highSchools"] == ["cupidatat High School"])
      #expect(BrowningDuncan.shown(seen) == BrowningDuncan.workDetails + BrowningDuncan.personalDetails)
      #expect(seen["contactInfo"].each("label") == ["Work", nil, "Cell", "Home", nil])
      #expect(seen["dateOfBirth"] == "1988-12-10")
      #expect(seen["relation"] == "CONTACT")
    }
  }

  private static let shared: [([String], [String])] = [
    ([], []), (["WORK"], BrowningDuncan.workDetails), (["SCHOOL"], []), (["PERSONAL"], BrowningDuncan.personalDetails),
    (["WORK", "PERSONAL"], BrowningDuncan.workDetails + BrowningDuncan.personalDetails),
  ]

  @Test(arguments: shared)
  func `sharing a scope shows its details, and nothing else`(scopes: [String], shown: [String]) async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let user = try await Household("Kloudbook User", on: server)
      // The scopes that the viewer shares do not affect what the viewer sees.
      try await browning.household.befriend(user, sharing: scopes, for: Self.all)
      let seen = try await user.sees(browning.household)
      #expect(BrowningDuncan.shown(seen) == shown)
      #expect(seen["dateOfBirth"] == (scopes.contains("PERSONAL") ? "1988-12-10" : nil))
      let own = try await browning.household.sees(browning.household)
      for info in own["contactInfo"].list {
        let isShown = scopes.contains(info["scope"].string ?? "")
        let answer = try await user.parent.ask(
          "query ($id: ID!) { node(id: $id) { ... on ContactInfo { \(Documents.info) } } }",
          ["id": info["id"]]
        )
        #expect(answer == ["data": ["node": isShown ? info : nil]])
      }
    }
  }

  @Test func `a single scope can be requested`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let user = try await Household("Kloudbook User", on: server)
      try await browning.household.befriend(user, sharing: ["WORK", "SCHOOL"])
      let document = """
        query ($id: ID!) { node(id: $id) { ... on Person { work: contactInfo(scope: WORK) { scope }
          personal: contactInfo(scope: PERSONAL) { scope } contactInfo { scope } } } }
        """
      let id: Value = ["id": .string(browning.household.personID)]
      let seen = try await user.parent.ask(document, id)
      #expect(
        seen["data.node"] == [
          "work": [["scope": "WORK"], ["scope": "WORK"]], "personal": [],
          "contactInfo": [["scope": "WORK"], ["scope": "WORK"]],
        ]
      )
      let own = try await browning.household.parent.ask(document, id)
      #expect(own["data.node.personal"].list.count == 3)
    }
  }

  @Test func `callers who are not contacts, and those with a pending request, see public data only`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let stranger = try await Household("Emily Smith", on: server)
      let asked = try await Household("John Smith", on: server)
      _ = try await browning.household.request(asked, offering: Self.all)
      for (viewer, relation) in [(stranger, "NONE"), (asked, "REQUEST_RECEIVED")] {
        let seen = try await viewer.sees(browning.household)
        #expect(seen["name"] == "Browning Duncan")
        #expect(seen["hometown"] == "Amherst")
        #expect(seen["company"] == "Ziore")
        #expect(seen["contactInfo"] == [])
        #expect(seen["dateOfBirth"] == .null)
        #expect(seen["age"] == .null)
        #expect(seen["gender"] == "UNSPECIFIED")
        #expect(seen["relation"] == .string(relation))
      }
    }
  }

  @Test func `a child sees only the adults of its family, and none of their details`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let stranger = try await Household("Emily Smith", on: server)
      _ = try await browning.household.addChild("Mia", username: "mia")
      let child = try await browning.household.signIn("mia")
      let parent = try await child.ask(Documents.personByID, ["id": .string(browning.household.personID)])
      #expect(parent["data.node.name"] == "Browning Duncan")
      #expect(parent["data.node.dateOfBirth"] == "1988-12-10")
      #expect(parent["data.node.contactInfo"] == [])
      #expect(parent["data.node.relation"] == "NONE")
      let other = try await child.ask(Documents.personByID, ["id": .string(stranger.personID)])
      #expect(other == ["data": ["node": nil]])
    }
  }

  @Test func `children are not visible outside of their family`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server)
      let user = try await Household("Kloudbook User", on: server)
      try await browning.household.befriend(user, sharing: Self.all, for: Self.all)
      let mia = try await browning.household.addChild("Mia")
      for id in [mia, browning.household.familyID, browning.household.accountID] {
        let answer = try await user.parent.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": .string(id)])
        #expect(answer == ["data": ["node": nil]])
      }
    }
  }
}
