import Storage
import Testing

@testable import Hearth

@Suite("D11: deactivate the account")
struct D11DeactivateTests {
  static let password: Value = ["password": .string(Household.password)]

  @Test func `who returns after their family was merged into another has one of their own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let dan = try await Household(on: server, email: "dan@example.com", name: "Dan Former")
      try await ada.admit(dan, on: server)
      _ = try await dan.parent.perform(Documents.deactivate, Self.password)
      server.clock.advance(seconds: 60)
      let host = try await Household(on: server, email: "host@example.com", name: "Hedy Host")
      _ = try await host.addChild("Kid")
      try await host.admit(ada, on: server)
      let outcome = try await dan.reactivate(on: server)
      let app = server.visitor.with(token: outcome["credentials.accessToken"].string)
      let family = try await app.ask("{ family { id name children { name } parents { id } } }")["data.family"]
      #expect(family["id"] != .string(host.familyID) && family["name"] == "Former family")
      #expect(family["children"] == [] && family["parents"].each("id") == [.string(dan.personID)])
      #expect(try await host.parents().sorted() == ["Ada Lovelace", "Hedy Host"])
    }
  }

  @Test func `all sessions end, and signing in returns DEACTIVATED, but only with the right password`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let phone = try await A16SignOutTests.signIn(server)
      #expect(try await phone.client.ask(Documents.whoAmI)["errors"] == .null)
      let outcome = try await ada.parent.perform(Documents.deactivate, Self.password)
      #expect(outcome.userErrors.isEmpty)
      #expect(outcome["deactivated"] == true)
      for client in [ada.parent, phone.client] {
        #expect(try await client.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      }
      for token in [ada.refreshToken, phone.refreshToken] {
        let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
        #expect(refreshed.userErrors == ["refreshToken NOT_FOUND"])
      }
      for (password, expected) in [
        (Household.password, "input DEACTIVATED"), ("wrong password", "input WRONG_CREDENTIALS"),
      ] {
        let input = A02SignInTests.input("ada@example.com", password)
        #expect(try await server.visitor.perform(Documents.signIn, input).userErrors == [expected])
      }
    }
  }

  @Test func `while another parent stays, the chores of who leaves are unassigned, also in the next period`()
    async throws
  {
    try await RepeatingChores.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let input: Value = ["name": "Feed the cat", "frequency": "DAILY", "assigneeIds": Value([grace.personID])]
      #expect(try await ada.parent.perform(Documents.addChore, ["input": input]).userErrors == [])
      let changes = "subscription { familyChanged { __typename ... on ChoreChanged { chore { assignees { id } } } } }"
      let device = try await Listener.open(server.port, ada.parent, changes).listening()
      #expect(try await grace.parent.perform(Documents.deactivate, Self.password)["deactivated"] == true)
      let changed: Value = ["__typename": "ChoreChanged", "chore": ["assignees": []]]
      #expect(try await device.next()["data.familyChanged"] == changed)
      #expect(try await device.next()["data.familyChanged.__typename"] == "ParentLeft")
      #expect(try await Self.unassigned(ada.parent) == [["name": "Feed the cat", "period": "2026-11-21"]])
      // Who returns does not get them back.
      #expect(try await grace.reactivate(on: server).userErrors == [])
      server.clock.advance(days: 1)
      try await server.rows("SELECT count(*) FROM chore", become: 2)
      #expect(try await Self.unassigned(ada.parent) == [["name": "Feed the cat", "period": "2026-11-22"]])
    }
  }

  @Test func `a parent who returns and resumes receives the departure of the last parent`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      let changes = "subscription { familyChanged { __typename ... on ParentLeft { parentId } } }"
      let position = try #require(try await Listener.open(server.port, ada.parent, changes).position)
      for household in [ada, grace] {
        let outcome = try await household.parent.perform(Documents.deactivate, Self.password)
        #expect(outcome["deactivated"] == true)
      }
      let returned = try await ada.reactivate(on: server)
      let parent = server.visitor.with(token: returned["credentials.accessToken"].string)
      let device = try await Listener.open(server.port, parent, changes, after: position)
      var departed: [Value] = []
      var change = try await device.next()["data.familyChanged"]
      while change["__typename"] != "ParentJoined" {
        if change["__typename"] == "ParentLeft" { departed.append(change["parentId"]) }
        change = try await device.next()["data.familyChanged"]
      }
      #expect(departed == [.string(ada.personID), .string(grace.personID)])
    }
  }

  @Test func `the last parent keeps their chores until another returns`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      #expect(try await grace.parent.perform(Documents.deactivate, Self.password)["deactivated"] == true)
      _ = try await ada.addChore("Feed the cat", for: [ada.personID])
      #expect(try await ada.parent.perform(Documents.deactivate, Self.password)["deactivated"] == true)
      var returned = try await ada.reactivate(on: server)
      let parent = server.visitor.with(token: returned["credentials.accessToken"].string)
      #expect(try await Self.unassigned(parent) == [])
      #expect(try await parent.perform(Documents.deactivate, Self.password)["deactivated"] == true)
      returned = try await grace.reactivate(on: server)
      let other = server.visitor.with(token: returned["credentials.accessToken"].string)
      #expect(try await Self.unassigned(other).each("name") == ["Feed the cat"])
    }
  }

  @Test(arguments: [false, true])
  func `the time while a parent's account is deactivated does not count for their immediate removal`(byOperator: Bool)
    async throws
  {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 365 * 86_400 }) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      server.clock.advance(seconds: 3_600)
      #expect(try await grace.parent.perform(Documents.deactivate, Self.password)["deactivated"] == true)
      server.clock.advance(seconds: 25 * 3_600)
      #expect(try await ada.requestRemoval(of: grace).userErrors == ["input.personId NOT_FOUND"])
      if byOperator {
        let person = try #require(server.services.cipher.key(of: grace.personID))
        let (services, now) = (server.services, server.clock.clock.now())
        try await services.database.write { transaction in
          let write = DatedWrite(at: Timestamp(now), in: transaction)
          _ = try AccountReturn.reactivate(person, by: nil, services: services, in: write)
        }
      } else {
        #expect(try await grace.reactivate(on: server).userErrors == [])
      }
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      server.clock.advance(seconds: 22 * 3_600)
      let removed = try await ada.requestRemoval(of: grace)
      #expect(removed.userErrors == [] && removed["removal"] == .null)
      #expect(removed["family.parents"].each("name") == ["Ada Lovelace"])
    }
  }

  private static func unassigned(_ parent: Client) async throws -> Value {
    let document = "{ family { chores(filter: { unassigned: true, status: OPEN }) { nodes { name period } } } }"
    return try await parent.ask(document)["data.family.chores.nodes"]
  }

  @Test func `children whose last parent has left cannot sign in, and are signed out`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      _ = try await ada.parent.perform(Documents.deactivate, Self.password)
      let input = C5ChildSignInTests.input("mia", Household.password)
      #expect(try await server.visitor.perform(Documents.signInChild, input).userErrors == ["input WRONG_CREDENTIALS"])
      #expect(try await child.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      #expect(try await other.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `it takes the right password, and an adult`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let outcome = try await ada.parent.perform(Documents.deactivate, ["password": "wrong password"])
      #expect(outcome.userErrors == ["password WRONG_CREDENTIALS"])
      #expect(outcome["deactivated"] == false)
      #expect(try await child.perform(Documents.deactivate, Self.password).codes == ["FORBIDDEN"])
      #expect(try await server.visitor.perform(Documents.deactivate, Self.password).codes == ["UNAUTHENTICATED"])
      _ = try await A16SignOutTests.signIn(server)
    }
  }
}
