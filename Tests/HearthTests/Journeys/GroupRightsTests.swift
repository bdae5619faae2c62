import Testing

@testable import Hearth

@Suite("Rights in a group")
struct GroupRightsTests {
  private static func mutations(_ group: String, _ person: String) -> [(document: String, variables: Value)] {
    let (group, person) = (Value.string(group), Value.string(person))
    return [
      (Documents.updateGroup, ["input": ["id": group, "name": "Ours"]]),
      (Documents.deleteGroup, ["id": group]),
      (Documents.removeGroupMember, ["id": group, "person": person]),
      (Documents.setGroupRole, ["id": group, "person": person, "role": "MEMBER"]),
      (Documents.inviteToGroup, ["id": group, "people": [person]]),
      (Documents.joinGroup, ["id": group]),
      (Documents.leaveGroup, ["id": group]),
      (Documents.createGroup, ["input": ["name": "Another"]]),
    ]
  }
  /// How many of them are for admins alone.
  private static let ofAdmins = 4

  @Test func `a child can do none of it and sees none, and a visitor neither`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let other = try await Household("Grace Hopper", on: server)
      let id = try await ada.createGroup("Red Sox Nation", sharing: ["WORK"])
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let before = try await ada.group(id)
      for (document, variables) in Self.mutations(id, other.personID) {
        #expect(try await child.perform(document, variables).codes == ["FORBIDDEN"], "\(document)")
        #expect(try await server.visitor.perform(document, variables).codes == ["UNAUTHENTICATED"], "\(document)")
      }
      #expect(try await ada.group(id) == before)
      #expect(try await child.ask(Documents.groupByID, ["id": .string(id)]) == ["data": ["node": nil]])
      let search: Value = ["query": "red"]
      #expect(try await child.ask(Documents.search, search)["errors.0.extensions.code"] == "FORBIDDEN")
      #expect(
        try await server.visitor.ask(Documents.search, search)["errors.0.extensions.code"] == "UNAUTHENTICATED"
      )
    }
  }

  @Test func `admin mutations are rejected for members, invited people and others`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let member = try await Household("Grace Hopper", on: server)
      let invited = try await Household("Emily Smith", on: server)
      let outsider = try await Household("Browning Duncan", on: server)
      let id = try await ada.createGroup("Red Sox Nation", sharing: ["WORK"])
      try await member.join(id)
      try await ada.invite([invited], to: id)
      let before = try await ada.group(id)
      for one in [member, invited, outsider] {
        for (document, variables) in Self.mutations(id, ada.personID).prefix(Self.ofAdmins) {
          let outcome = try await one.parent.perform(document, variables)
          #expect(outcome.errors == .null)
          #expect(outcome["userErrors"].each("code") == ["NOT_ALLOWED"], "\(document)")
        }
      }
      for one in [invited, outsider] {
        #expect(try await one.invite([outsider], to: id).userErrors == ["groupId NOT_ALLOWED"])
      }
      #expect(try await member.invite([outsider], to: id).userErrors.isEmpty)
      #expect(try await ada.group(id) == before)
      for (document, variables) in Self.mutations(ada.personID, ada.personID).dropLast() {
        let outcome = try await ada.parent.perform(document, variables)
        #expect(outcome["userErrors"].each("code") == ["NOT_FOUND"], "\(document)")
      }
    }
  }
}
