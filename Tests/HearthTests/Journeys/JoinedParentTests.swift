import Testing

@testable import Hearth

@Suite("A parent has joined a family", .timeLimit(.minutes(10)))
struct JoinedParentTests {
  @Test func `a person who joins a family no longer waits for confirmation by another`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let guest = "guest@example.com"
      let invited = try await ada.parent.perform(Documents.inviteParent, ["email": .string(guest)])
      let token = Value.string(try await server.mail(to: guest, about: "invites").token)
      func accept(_ one: Household) async throws -> Outcome {
        try await one.parent.perform(Documents.acceptInvitation, ["token": token])
      }
      let grace = try await Household("Grace Hopper", on: server)
      #expect(try await accept(grace)["invitation.status"] == "AWAITING_CONFIRMATION")
      let emily = try await Household("Emily Smith", on: server)
      try await emily.admit(grace, on: server)
      let open = try await ada.parent.ask(Documents.invitations)["data.family.invitations"]
      #expect(open.each("id") == [invited["invitation.id"]])
      #expect(open.each("status") == ["SENT"] && open.each("claimedBy") == [.null])
      // The invitation is not in use any more.
      let janna = try await Household("Janna Duran", on: server)
      #expect(try await accept(janna)["invitation.status"] == "AWAITING_CONFIRMATION")
    }
  }

  @Test func `only the parent who has invited another can remove them immediately`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let emily = try await Household("Emily Smith", on: server)
      let grace = try await Household("Grace Hopper", on: server)
      for guest in [emily, grace] { try await ada.admit(guest, on: server) }
      let requested = try await emily.requestRemoval(of: grace)
      #expect(requested.userErrors == [])
      #expect(requested["removal.requestedBy.name"] == "Emily Smith")
      #expect(requested["removal.effectiveAt"] == "2026-11-28T08:00:00Z")
      let everybody: [Value] = ["Ada Lovelace", "Emily Smith", "Grace Hopper"]
      #expect(requested["family.parents"].each("name") == everybody)
      let removal = requested["removal.id"]
      #expect(try await emily.parent.perform(Documents.cancelRemoval, ["id": removal])["removedId"] == removal)
      let removed = try await ada.requestRemoval(of: grace)
      #expect(removed.userErrors == [] && removed["removal"] == .null)
      #expect(removed["family.parents"].each("name") == ["Ada Lovelace", "Emily Smith"])
    }
  }
}
