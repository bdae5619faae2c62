import Testing

@testable import Hearth

@Suite("C6: sign out")
struct C6SignOutTests {
  @Test func `the old token is dead, a child's too, and signing in again gives a living one`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      #expect(try await child.perform(Documents.signOut)["signedOut"] == true)
      #expect(try await child.post(C4ChildrenTests.list).codes == ["TOKEN_REVOKED"])
      #expect(try await ada.signIn("mia").post(C4ChildrenTests.list).codes.isEmpty)
      #expect(try await child.post(C4ChildrenTests.list).codes == ["TOKEN_REVOKED"])
    }
  }

  @Test func `nothing is open to who signs out within a request`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let answer = try await ada.parent.ask(
        #"mutation { signOut { signedOut } addChore(input: {name: "Feed the cat"}) { chore { id } } }"#
      )
      #expect(answer["errors"].each("extensions.code") == ["UNAUTHENTICATED"])
    }
  }
}
