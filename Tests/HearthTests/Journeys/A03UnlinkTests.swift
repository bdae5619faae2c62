import TestSupport
import Testing

@testable import Hearth

@Suite(
  "A3–5: unlinking a provider ends what it may have opened",
  .enabled(if: IssuerProcess.isAvailable),
  .timeLimit(.minutes(20))
)
struct A03UnlinkTests {
  @Test func `all but the session that unlinks it, and only when it is unlinked`() async throws {
    try await A03IdentityTests.run { server, issuer async throws in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let identity = A03IdentityTests.input(try await issuer.token())
      #expect(try await ada.parent.perform(Documents.linkIdentity, identity).userErrors == [])
      let signedIn = try await server.visitor.perform(Documents.signInWithIdentity, identity)
      let phone = A16ChildSessionTests.App(signedIn, server)
      let scanned = try await A16ChildSessionTests.code(for: mia, by: phone.client)
      let child = try await A16ChildSessionTests.scan(scanned, server)
      let open = try await A16ChildSessionTests.code(for: mia, by: phone.client)
      let change: Value = ["email": "new.ada@example.com", "password": .string(Household.password)]
      let changed = try await phone.client.perform(D14AccountManagementTests.changeEmail, change)
      #expect(changed["account.pendingEmail"] == "new.ada@example.com")
      let listener = try await Listener.open(server.port, phone.client, A06LiveDashboardTests.changes).listening()

      let other = try await ada.parent.perform(Documents.unlinkIdentity, ["provider": "APPLE"])
      #expect(other.userErrors == ["provider NOT_FOUND"])
      for app in [phone, child] { #expect(try await app.client.ask(Documents.whoAmI)["errors"] == .null) }

      let unlinked = try await ada.parent.perform(Documents.unlinkIdentity, ["provider": "GOOGLE"])
      #expect(unlinked["account.identities"] == [])
      #expect(try await listener.end() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      for app in [phone, child] { try await A16ChildSessionTests.expectEnded(app, server) }
      let late = try await server.visitor.perform(Documents.signInWithCode, ["token": open])
      #expect(late.userErrors == ["token NOT_FOUND"])
      let account = try await ada.parent.ask("{ viewer { ... on Account { pendingEmail } } }")
      #expect(account["errors"] == .null && account["data.viewer.pendingEmail"] == .null)
    }
  }
}
