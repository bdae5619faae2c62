import Testing

@testable import Hearth

@Suite("C2: parent sign-in")
struct C2ParentSignInTests {
  @Test func `it returns the access token, its type, its expiry and the parent`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await server.visitor.perform(
        Documents.signIn,
        A02SignInTests.input("ada@example.com", Household.password)
      )
      let credentials = outcome["credentials"]
      // A JSON web token: three parts in base64url.
      let token = try #require(credentials["accessToken"].string)
      #expect(token.split(separator: ".").count == 3)
      #expect(credentials["tokenType"] == "Bearer")
      #expect(credentials["expiresAt"] == "2026-11-21T08:15:00Z")
      #expect(
        credentials["viewer"]
          == [
            "__typename": "Account", "id": .string(ada.accountID), "name": "Ada Lovelace", "email": "ada@example.com",
          ]
      )
    }
  }

  @Test func `a sign-in does not change the caller of its request`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let answer = try await server.visitor.ask(
        """
        mutation ($adult: SignInInput!, $child: ChildSignInInput!) {
          signIn(input: $adult) { credentials { viewer { ... on Account { family { children { name } } } } } }
          addChore(input: {name: "Feed the cat"}) { chore { name createdBy { name } } }
          signInChild(input: $child) { credentials { viewer { ... on Child { name family { name } } } } }
          second: addChore(input: {name: "Walk the dog"}) { chore { name } }
          signOut { signedOut }
        }
        """,
        [
          "adult": ["email": "ada@example.com", "password": .string(Household.password)],
          "child": ["username": "mia", "password": .string(Household.password)],
        ]
      )
      // A null in a non-null field discards the entire response, but earlier fields have taken effect.
      #expect(answer["data"] == .null)
      #expect(answer["errors"].each("path") == [["second"]])
      #expect(answer["errors"].each("extensions.code") == ["FORBIDDEN"])
      #expect(try await ada.everything()["data.family.chores.nodes"].each("name") == ["Feed the cat"])
    }
  }
}
