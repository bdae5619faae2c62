import Testing

@testable import Hearth

@Suite("The contact book is for signed-in adults")
struct ContactBookRightsTests {
  /// Every mutation of the contact book, with variables that are good but for the ids.
  static func mutations(_ id: String) -> [(String, Value)] {
    let id = Value.string(id)
    return [
      (Documents.updateProfile, ["input": ["company": "Ziore"]]),
      (Documents.addContactInfo, ["scope": "WORK", "info": ["email": "a@example.com"]]),
      (Documents.updateContactInfo, ["id": id, "info": ["email": "a@example.com"]]),
      (Documents.removeContactInfo, ["id": id]),
      (Documents.requestContact, ["id": id, "offer": ["WORK"]]),
      (Documents.inviteContact, ["email": "lisa@gmail.com", "offer": ["WORK"]]),
      (Documents.acceptContact, ["id": id, "share": ["WORK"]]),
      (Documents.rejectContact, ["id": id]),
      (Documents.cancelRequest, ["id": id]),
      (Documents.setSharing, ["id": id, "scopes": ["WORK"]]),
      (Documents.removeContact, ["id": id]),
      (Documents.matchAddressBook, ["entries": [["name": "A", "emails": ["a@example.com"]]]]),
    ]
  }

  @Test func `a child can do none of it, and a visitor neither`() async throws {
    try await TestServer.run { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let other = try await Household("Grace Hopper", on: server)
      try await ada.befriend(other)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let before = [try await ada.contactBook(), try await other.contactBook()]
      for (document, variables) in Self.mutations(other.personID) {
        let byChild = try await child.perform(document, variables)
        #expect(byChild.codes == ["FORBIDDEN"], "\(document)")
        #expect(byChild.payload == .null)
        let byVisitor = try await server.visitor.perform(document, variables)
        #expect(byVisitor.codes == ["UNAUTHENTICATED"], "\(document)")
      }
      #expect(try await [ada.contactBook(), other.contactBook()] == before)
      #expect(try await server.mails().allSatisfy { !$0.to.contains("lisa") })
    }
  }
}
