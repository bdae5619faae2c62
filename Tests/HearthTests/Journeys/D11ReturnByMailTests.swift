import Testing

@testable import Hearth

@Suite("D11: return to a deactivated account with a forgotten password")
struct D11ReturnByMailTests {
  private static let reset = """
    mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) {
      credentials { accessToken } userErrors { field code reason message } } }
    """

  private func token(_ server: TestServer, _ email: String) async throws -> String {
    _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(email)])
    return try await server.mail(to: email, about: "new password").token
  }

  private func reset(_ server: TestServer, _ token: String, reactivate: Bool) async throws -> Outcome {
    let input: Value = [
      "token": .string(token), "newPassword": "a fresh password", "device": "Kitchen",
      "reactivate": .boolean(reactivate),
    ]
    return try await server.visitor.perform(Self.reset, ["input": input])
  }

  @Test(arguments: [Documents.deactivate, Documents.deleteAccount])
  func `a new password brings the account back, if that is requested`(ending: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.perform(ending, D11DeactivateTests.password).userErrors == [])
      server.clock.advance(days: 29)
      let token = try await token(server, "ada@example.com")
      // The token is not spent.
      let rejected = try await reset(server, token, reactivate: false)
      #expect(rejected.userErrorReasons == ["input.token DEACTIVATED REACTIVATABLE"])
      #expect(rejected["credentials"] == .null)
      let returned = try await reset(server, token, reactivate: true)
      #expect(returned.userErrors == [])
      let app = server.visitor.with(token: returned["credentials.accessToken"].string)
      let viewer = try await app.ask("{ viewer { ... on Account { id sessions { device } } } }")["data.viewer"]
      #expect(viewer == ["id": .string(ada.accountID), "sessions": [["device": "Kitchen"]]])
      server.clock.advance(days: 2)
      let input = A02SignInTests.input("ada@example.com", "a fresh password")
      #expect(try await server.visitor.perform(Documents.signIn, input).userErrors == [])
    }
  }

  @Test func `a token does not work any more when the thirty days are over`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      server.clock.advance(seconds: 30 * 86_400 - 60)
      let token = try await token(server, "ada@example.com")
      server.clock.advance(seconds: 60)
      #expect(try await reset(server, token, reactivate: true).userErrors == ["input.token DEACTIVATED"])
    }
  }

  @Test func `who returns receives the invitations of the meantime`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let verification = try await server.mail(to: grace.email, about: "Confirm").token
      _ = try await server.visitor.perform(Documents.verifyEmail, ["token": .string(verification)])
      _ = try await grace.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      let invite =
        "mutation ($email: String!) { inviteContact(input: { email: $email, sharing: [] }) { userErrors { field code } } }"
      #expect(try await ada.parent.perform(invite, ["email": .string(grace.email)]).userErrors == [])
      let returned = try await grace.reactivate(on: server)
      let app = server.visitor.with(token: returned["credentials.accessToken"].string)
      let requests = "{ viewer { ... on Account { contactRequests { nodes { from { name } } } } } }"
      let received = try await app.ask(requests)["data.viewer.contactRequests.nodes"]
      #expect(received == [["from": ["name": "Ada Lovelace"]]])
    }
  }
}
