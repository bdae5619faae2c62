import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("A16: sign out, and staying signed in")
struct A16SignOutTests {
  @Test func `signing out ends the session at once, on every connection, and no other session`() async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let phone = try await Self.signIn(server)
      // More connections than loops, so that every loop has seen the token.
      let connections = (0..<6).map { _ in phone.client.another }
      for connection in connections { #expect(try await connection.ask(Documents.whoAmI)["errors"] == .null) }
      let outcome = try await phone.client.perform(Documents.signOut)
      #expect(outcome["signedOut"] == true)
      for connection in connections {
        let answer = try await connection.ask(Documents.whoAmI)
        #expect(answer["data.viewer"] == .null)
        #expect(answer["errors.0.extensions.code"] == "TOKEN_REVOKED")
      }
      #expect(try await phone.client.perform(Documents.signOut).codes == ["TOKEN_REVOKED"])
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(phone.refreshToken)])
      #expect(refreshed.userErrors == ["refreshToken NOT_FOUND"])
      #expect(try await ada.parent.ask(Documents.whoAmI)["data.viewer.id"] == .string(ada.accountID))
    }
  }

  @Test func `signing out everywhere ends all sessions of this person, and those that their password opened`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let phone = try await Self.signIn(server)
      #expect(try await phone.client.perform(Documents.signOut, ["everywhere": true])["signedOut"] == true)
      for client in [phone.client, ada.parent, child] {
        #expect(try await client.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      }
      #expect(try await other.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `anonymous callers cannot sign out`() async throws {
    try await TestServer.run { server in
      let outcome = try await server.visitor.perform(Documents.signOut)
      #expect(outcome.codes == ["UNAUTHENTICATED"])
    }
  }

  @Test func `an app that is used stays signed in for months`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      var token = ada.refreshToken
      for _ in 0..<12 {
        server.clock.advance(days: 30)
        let outcome = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
        #expect(outcome.userErrors.isEmpty)
        token = try #require(outcome["credentials.refreshToken"].string)
        let app = server.visitor.with(token: outcome["credentials.accessToken"].string)
        #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == .string(ada.accountID))
      }
      server.clock.advance(days: 181)
      let outcome = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
      #expect(outcome.userErrorReasons == ["refreshToken EXPIRED"])
    }
  }

  @Test(arguments: [1, 2, 5])
  func `a refresh token that is used again ends its session, however long ago it was used`(later: Int) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Self.signIn(server)
      var token = ada.refreshToken
      var app = ada.parent
      for _ in 0..<later {
        let outcome = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
        token = try #require(outcome["credentials.refreshToken"].string)
        app = app.with(token: outcome["credentials.accessToken"].string)
      }
      #expect(try await app.ask(Documents.whoAmI)["errors"] == .null)
      let stolen = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      #expect(stolen.userErrorReasons == ["refreshToken EXPIRED TOKEN_REUSED"])
      #expect(stolen["credentials"] == .null)
      #expect(try await app.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      // Neither the thief nor the owner can use it.
      let owner = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
      #expect(!owner.userErrors.isEmpty)
      #expect(try await other.client.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test(arguments: [1, 2])
  func `tabs that use a refresh token at the same moment all stay signed in`(loops: Int) async throws {
    try await TestServer.run(loops: loops) { server in
      let ada = try await Household(on: server)
      // Nothing else is to be written.
      await server.deliverMail()
      // Nothing is written until all of them have begun.
      let tabs = try await server.holdingWrites {
        let others = server.services.database.waitingWrites
        let tabs = (0..<3).map { _ in
          let visitor = server.visitor
          return Task { try await visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)]) }
        }
        while server.services.database.waitingWrites < others + 3 { await Task.yield() }
        return tabs
      }
      var outcomes: [Outcome] = []
      for tab in tabs { outcomes.append(try await tab.value) }
      // The same one, so that it does not matter which of them the app keeps.
      let next = Set(outcomes.compactMap { $0["credentials.refreshToken"].string })
      #expect(next.count == 1 && outcomes.allSatisfy { $0.userErrors.isEmpty })
      for outcome in outcomes {
        let app = server.visitor.with(token: outcome["credentials.accessToken"].string)
        #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == .string(ada.accountID))
      }
      let later = try await server.visitor.perform(Documents.refresh, ["token": .string(next.first ?? "")])
      #expect(later.userErrors.isEmpty)
    }
  }

  @Test func `a reuse after the response counts as theft, however soon`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let tab = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      let app = server.visitor.with(token: tab["credentials.accessToken"].string)
      let thief = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      #expect(thief.userErrors == ["refreshToken EXPIRED"])
      #expect(try await app.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      let next = try await server.visitor.perform(Documents.refresh, ["token": tab["credentials.refreshToken"]])
      #expect(next.userErrors == ["refreshToken NOT_FOUND"])
    }
  }

  @Test func `within one request the second use comes after the first`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let data = try await server.visitor.ask(
        """
        mutation ($token: String!) {
          one: refreshSession(refreshToken: $token) { credentials { accessToken } userErrors { code } }
          two: refreshSession(refreshToken: $token) { credentials { accessToken } userErrors { code } }
        }
        """,
        ["token": .string(ada.refreshToken)]
      )["data"]
      #expect(data["one.credentials.accessToken"].string != nil)
      #expect(data["two.userErrors.0.code"] == "EXPIRED")
    }
  }

  @Test(arguments: ["", "nonsense", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "0000000000000.x", "\u{0}"])
  func `a refresh token that was never given belongs to no session`(token: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await server.visitor.perform(Documents.refresh, ["token": .string(token)])
      #expect(outcome.userErrors == ["refreshToken NOT_FOUND"])
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `a wrong secret behind a session's id does not end the session`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Self.signIn(server)
      let id = try #require(try await ada.parent.ask(Documents.sessions)["data.viewer.sessions.1.id"].string)
      let secret = try #require(ada.refreshToken.split(separator: ".").last)
      let others = try #require(other.refreshToken.split(separator: ".").last)
      let flipped = (secret.first == "A" ? "B" : "A") + secret.dropFirst()
      for wrong in [
        "", "x", String(repeating: "A", count: 43), String(secret.dropLast()), secret + "A", String(others), flipped,
        "\(secret).\(secret)",
      ] {
        let outcome = try await server.visitor.perform(Documents.refresh, ["token": .string("\(id).\(wrong)")])
        #expect(outcome.userErrors == ["refreshToken NOT_FOUND"], "\(wrong)")
      }
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors"] == .null)
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      #expect(refreshed.userErrors == [])
    }
  }

  /// Refresh tokens from before proofs existed consist of random bits.
  @Test func `refresh tokens of before the upgrade still work once, and are then recognised when used again`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let id = try #require(try await ada.parent.ask(Documents.sessions)["data.viewer.sessions.0.id"].string)
      let old = "\(id).\(Secrets.randomText())"
      let token = try #require(RefreshToken(old, cipher: server.services.cipher))
      try await server.services.database.write { transaction in
        try transaction.run(SQL<[UInt8]>("UPDATE session SET refresh_hash = \(\.self)"), Array(token.hash))
      }
      var refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(old)])
      #expect(refreshed.userErrors == [])
      // Also after the new ones have been used.
      refreshed = try await server.visitor.perform(
        Documents.refresh,
        ["token": refreshed["credentials.refreshToken"]]
      )
      #expect(refreshed.userErrors == [])
      let app = server.visitor.with(token: refreshed["credentials.accessToken"].string)
      #expect(try await app.ask(Documents.whoAmI)["errors"] == .null)
      let stolen = try await server.visitor.perform(Documents.refresh, ["token": .string(old)])
      #expect(stolen.userErrors == ["refreshToken EXPIRED"])
      #expect(try await app.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
    }
  }

  @Test func `sessions and tokens outlive a restart`() async throws {
    let directory = try TemporaryDirectory()
    var ada: Household?
    var ended: String?
    try await TestServer.run(in: directory) { server in
      ada = try await Household(on: server)
      let phone = try await Self.signIn(server)
      _ = try await phone.client.perform(Documents.signOut)
      ended = phone.client.token
    }
    try await TestServer.run(in: directory) { server in
      let household = try #require(ada)
      let app = server.visitor.with(token: household.parent.token)
      #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == .string(household.accountID))
      let answer = try await server.visitor.with(token: ended).ask(Documents.whoAmI)
      #expect(answer["errors.0.extensions.code"] == "TOKEN_REVOKED")
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(household.refreshToken)])
      #expect(refreshed.userErrors.isEmpty)
    }
  }

  static func signIn(_ server: TestServer) async throws -> (client: Client, refreshToken: String) {
    let outcome = try await server.visitor.perform(
      Documents.signIn,
      A02SignInTests.input("ada@example.com", Household.password)
    )
    let token = try #require(outcome["credentials.accessToken"].string)
    return (server.visitor.with(token: token), try #require(outcome["credentials.refreshToken"].string))
  }
}
