import Testing

@testable import Hearth

@Suite("An export names only what its person may see")
struct ExportedRightsTests {
  private static func export(of one: Household) async throws -> Value {
    try await ExportTests.read(try await one.parent.perform(ExportTests.export)).data
  }

  /// The exported notification of a type.
  private static func notification(_ type: String, in data: Value) throws -> Value {
    try #require(data["notifications"].list.first { $0["type"] == .string(type) }, "\(data["notifications"])")
  }

  private static func accept(_ one: Household, invitationOf ada: Household, _ server: TestServer) async throws {
    let invited = try await ada.parent.perform(Documents.inviteParent, ["email": .string(one.email)])
    #expect(invited.userErrors == [])
    let token = Value.string(try await server.mail(to: one.email, about: "invites").token)
    let accepted = try await one.parent.perform(Documents.acceptInvitation, ["token": token])
    #expect(accepted["family.id"] == .string(ada.familyID))
  }

  @Test func `a family that the person has left has no name, until they join it again`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await grace.verifyEmail(on: server)
      try await Self.accept(grace, invitationOf: ada, server)
      let password: Value = ["password": .string(Household.password)]
      #expect(try await grace.parent.perform(Documents.leaveFamily, password).userErrors == [])
      let name: Value = ["input": ["name": "Ada and Carl"]]
      #expect(try await ada.parent.perform(Documents.updateFamily, name).userErrors == [])
      let left = try await Self.export(of: grace)
      #expect(left["formerFamilies"].each("id") == [.string(ada.familyID)])
      #expect(left["formerFamilies"].each("name") == [Value.null])
      #expect(!left.text.contains("Carl"))
      try await Self.accept(grace, invitationOf: ada, server)
      #expect(try await Self.export(of: grace)["formerFamilies"].each("name") == ["Ada and Carl"])
    }
  }

  @Test func `a person who waits for confirmation sees neither the invited address nor who sent the invitation`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let invited = try await ada.parent.perform(Documents.inviteParent, ["email": "lisa@example.com"])
      let token = Value.string(try await server.mail(to: "lisa@example.com", about: "invites").token)
      let grace = try await Household("Grace Hopper", on: server)
      try await grace.verifyEmail(on: server)
      let accepted = try await grace.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(accepted["invitation.status"] == "AWAITING_CONFIRMATION")
      let waiting = try await Self.export(of: grace)["familyInvitations"]
      #expect(waiting.each("claimedById") == [.string(grace.personID)])
      #expect(waiting.each("email") == [Value.null] && waiting.each("invitedById") == [Value.null], "\(waiting)")
      let own = try await Self.export(of: ada)["familyInvitations"]
      #expect(own.each("email") == ["lisa@example.com"] && own.each("invitedById") == [.string(ada.personID)])
      let cancelled = try await ada.parent.perform(Documents.cancelInvitation, ["id": invited["invitation.id"]])
      #expect(cancelled.userErrors == [])
      let data = try await Self.export(of: grace)
      let rejected = try Self.notification("FamilyInvitationRejectedNotification", in: data)
      #expect(rejected["actorId"] == .null && rejected["actorName"] == .null, "\(rejected)")
    }
  }

  @Test func `a notification that hides who caused it has no actor`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let group = try await ada.createGroup("Red Sox Nation", access: "BY_REQUEST")
      let request = try await grace.askToJoin(group)
      #expect(try await ada.answer(request, Documents.acceptJoinRequest).userErrors == [])
      #expect(try await ada.removeMember(grace, from: group).userErrors == [])
      _ = try await ada.request(grace)
      let data = try await Self.export(of: grace)
      for type in ["GroupJoinAcceptedNotification", "GroupMemberRemovedNotification"] {
        let hidden = try Self.notification(type, in: data)
        #expect(hidden["actorId"] == .null && hidden["actorName"] == .null, "\(hidden)")
      }
      let shown = try Self.notification("ContactRequestNotification", in: data)
      #expect(shown["actorId"] == .string(ada.personID) && shown["actorName"] == "Ada Lovelace", "\(shown)")
    }
  }

  @Test func `details that a contact does not share are not in it, and its scopes are those that the person shares`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await grace.addInfo("WORK", ["email": "shared@example.com"])
      try await grace.addInfo("PERSONAL", ["email": "hidden@example.com"])
      try await grace.befriend(ada, sharing: ["WORK"], for: ["SCHOOL"])
      #expect(try await ada.sees(grace)["contactInfo"].each("email") == ["shared@example.com"])
      let data = try await Self.export(of: ada)
      #expect(data["contacts"].each("name") == ["Grace Hopper"])
      #expect(data["contacts"].each("sharing") == [["SCHOOL"]])
      #expect(!data.text.contains("hidden@example.com"))
      #expect(try await Self.export(of: grace)["contacts"].each("sharing") == [["WORK"]])
    }
  }

  @Test(arguments: ["OPEN", "BY_REQUEST"])
  func `of a group it has the scopes that the group shares and the person has agreed to`(access: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let group = try await ada.createGroup("Red Sox Nation", sharing: ["WORK", "SCHOOL"], access: access)
      #expect(try await grace.join(group).userErrors == [])
      let list = access == "OPEN" ? "groups" : "groupJoinRequests"
      #expect(try await Self.export(of: grace)[list].each("sharing.1") != [Value.null])
      // The group ceases to share one, and then shares it again, to which the person has not agreed.
      for sharing in [["SCHOOL"], ["WORK", "SCHOOL"]] {
        let input: Value = ["id": .string(group), "sharing": Value(sharing)]
        #expect(try await ada.parent.perform(Documents.updateGroup, ["input": input]).userErrors == [])
        #expect(try await Self.export(of: grace)[list].each("sharing") == [["SCHOOL"]], "\(sharing)")
      }
    }
  }

  @Test func `people who have deactivated their account have no name`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let request: Value = ["id": .string(try await ada.request(grace))]
      #expect(try await grace.parent.perform(Documents.rejectContact, request).userErrors == [])
      #expect(try await Self.export(of: grace)["rejectedRequests"].each("fromName") == ["Ada Lovelace"])
      _ = try await ada.deleteAccount()
      let data = try await Self.export(of: grace)
      #expect(data["rejectedRequests"].each("fromName") == [Value.null])
      #expect(try Self.notification("ContactRequestNotification", in: data)["actorName"] == .null)
    }
  }

  @Test func `it does not say whether an invitation was mailed, which shows a deactivated account`() async throws {
    try await TestServer.run { server in
      let stan = try await Household("Stan Stone", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await grace.verifyEmail(on: server)
      _ = try await grace.deleteAccount()
      for address in [grace.email, "nobody@example.com"] {
        let input: Value = ["email": .string(address), "offer": ["WORK"]]
        #expect(try await stan.parent.perform(Documents.inviteContact, input).userErrors == [])
      }
      let sent = try await server.mails().filter { $0.subject.contains("Stan") }
      #expect(sent.count == 1 && sent[0].to.contains("nobody@example.com"))
      let mails = try await Self.export(of: stan)["mails"].list.filter {
        $0["kind"] == .number(Double(MailKind.contactInvitation.rawValue))
      }
      #expect(mails.count == 2 && mails.allSatisfy { $0["sentAt"] == .null }, "\(mails)")
    }
  }
}
