import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("A16: one sees where one is signed in, and can end it")
struct A16SessionListTests {
  private func signIn(_ server: TestServer, on device: String?) async throws -> Client {
    var input = A02SignInTests.input("ada@example.com", Household.password)["input"]
    if let device { input = input.setting("device", .string(device)) }
    let outcome = try await server.visitor.perform(Documents.signIn, ["input": input])
    let token: String = try #require(outcome["credentials.accessToken"].string, "\(outcome)")
    return server.visitor.with(token: token)
  }

  @Test func `sessions are listed with their devices, the newest first, and the own one is marked`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      server.clock.advance(seconds: 60)
      let phone = try await signIn(server, on: "Ada's phone")
      let seen = try await phone.ask(Documents.sessions)["data.viewer.sessions"].list
      #expect(seen.map { $0["device"] } == ["Ada's phone", nil])
      #expect(seen.map { $0["current"] } == [true, false])
      #expect(seen.map { $0["createdAt"] } == ["2026-11-21T08:01:00Z", "2026-11-21T08:00:00Z"])
      #expect(seen.map { $0["lastUsedAt"] } == seen.map { $0["createdAt"] })
      let others = try await ada.parent.ask(Documents.sessions)["data.viewer.sessions"].list
      #expect(others.map { $0["id"] } == seen.map { $0["id"] })
      #expect(others.map { $0["current"] } == [false, true])
      server.clock.advance(seconds: 60)
      _ = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      let refreshed = try await phone.ask(Documents.sessions)["data.viewer.sessions.1"]
      #expect(refreshed["lastUsedAt"] == "2026-11-21T08:02:00Z")
      #expect(refreshed["createdAt"] == "2026-11-21T08:00:00Z")
    }
  }

  @Test func `a session that has run out is not listed`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 86_400 * 365 }) { server in
      let ada = try await Household(on: server)
      let input = A02SignInTests.input("ada@example.com", Household.password)["input"].setting("rememberMe", false)
      _ = try await server.visitor.perform(Documents.signIn, ["input": input])
      #expect(try await ada.parent.ask(Documents.sessions)["data.viewer.sessions"].list.count == 2)
      server.clock.advance(days: 2)
      #expect(try await ada.parent.ask(Documents.sessions)["data.viewer.sessions"].list.map { $0["current"] } == [true])
    }
  }

  /// Newer sessions like each, begun a second after the other.
  static let newer = SQL<[Int64]>(
    """
    INSERT INTO session (id, family_id, member_id, created_at, last_used_at, expires_at, refresh_hash) \
    SELECT s.id + k.value * 1000000, family_id, member_id, created_at + k.value * 1000, \
    last_used_at + k.value * 1000, expires_at, refresh_hash \
    FROM \(table: \.self) AS k \(join: .asWritten) session AS s ON true
    """
  )

  @Test func `the newest 100 sessions of a parent and of a child are listed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.signIn("mia")
      try await server.services.database.write { transaction in
        try transaction.run(Self.newer, Array(1...100))
      }
      let times = (1...100).reversed().map { second -> Value in
        .string("2026-11-21T08:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z")
      }
      let own = try await ada.parent.ask(Documents.sessions)["data.viewer.sessions"]
      #expect(own.each("createdAt") == times)
      // The session of the request is the oldest.
      #expect(own.list.allSatisfy { $0["current"] == false })
      let children = try await ada.parent.ask(A16ChildSessionTests.sessions)["data.family.children"]
      #expect(children["0.sessions"].each("createdAt") == times)
    }
  }

  @Test func `a sign-in beyond 100 sessions ends the one that was used least recently`() async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      server.clock.advance(seconds: 60)
      let phone = try await signIn(server, on: "phone")
      _ = try await phone.register(D15DeviceTests.subscription(), name: "phone")
      let listener = try await Listener.open(server.port, phone, A06LiveDashboardTests.changes).listening()
      server.clock.advance(seconds: 60)
      // So the oldest session is not the one that was used least recently.
      _ = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      let member = try #require(server.services.cipher.key(of: ada.personID))
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let (services, now) = (server.services, Timestamp(server.clock.clock.now()))
      try await services.database.write { transaction in
        for number in 3...Session.maximumOfMember {
          _ = try Sessions.begin(
            member: member,
            family: family,
            device: "\(number)",
            origin: Sessions.Origin(.password, by: member),
            services: services,
            in: DatedWrite(at: now, in: transaction)
          )
        }
      }
      #expect(try await phone.ask(Documents.whoAmI)["errors"] == .null)
      let tablet = try await signIn(server, on: "tablet")
      for connection in [phone, phone.another, phone.another, phone.another] {
        #expect(try await connection.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      }
      #expect(try await listener.end() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      #expect(try server.rows("SELECT count(*) FROM device", columns: 1) == [[0]])
      let others = (3...Session.maximumOfMember).reversed().map { Value.string("\($0)") }
      for client in [ada.parent, tablet] {
        let devices = try await client.ask(Documents.sessions)["data.viewer.sessions"].each("device")
        #expect(devices == [.string("tablet")] + others + [.null])
      }
    }
  }

  /// Begins sessions of a parent now, as sign-ins do.
  private func begin(_ count: Int, of household: Household, isRemembered: Bool, on server: TestServer) async throws {
    let member = try #require(server.services.cipher.key(of: household.personID))
    let family = try #require(server.services.cipher.key(of: household.familyID))
    let (services, now) = (server.services, Timestamp(server.clock.clock.now()))
    try await services.database.write { transaction in
      for _ in 0..<count {
        _ = try Sessions.begin(
          member: member,
          family: family,
          device: nil,
          origin: Sessions.Origin(.password, by: member),
          isRemembered: isRemembered,
          services: services,
          in: DatedWrite(at: now, in: transaction)
        )
      }
    }
  }

  @Test func `expired sessions end before those that can be continued`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      server.clock.advance(seconds: 3_600)
      try await begin(Session.maximumOfMember - 1, of: ada, isRemembered: false, on: server)
      server.clock.advance(days: 2)
      _ = try await signIn(server, on: "tablet")
      #expect(try server.rows("SELECT count(*) FROM session", columns: 1) == [[Int64(Session.maximumOfMember)]])
      let renewed = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      #expect(renewed.userErrors == [])
    }
  }

  @Test func `sessions that were never renewed end before a phone that renews its own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      server.clock.advance(seconds: 60)
      let first = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
      let phone = try #require(first["credentials.refreshToken"].string)
      server.clock.advance(seconds: 3_600)
      // A script signs in each time it runs.
      try await begin(Session.maximumOfMember - 1, of: ada, isRemembered: true, on: server)
      server.clock.advance(seconds: 900)
      let script = try await signIn(server, on: "script")
      #expect(try server.rows("SELECT count(*) FROM session", columns: 1) == [[Int64(Session.maximumOfMember)]])
      let renewed = try await server.visitor.perform(Documents.refresh, ["token": .string(phone)])
      #expect(renewed.userErrors == [])
      #expect(try await script.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `a device that was not renewed yet stays if no script has left many`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await begin(Session.maximumOfMember - 2, of: ada, isRemembered: true, on: server)
      try await server.services.database.write { transaction in
        try transaction.run(SQL<Void>("UPDATE session SET last_used_at = created_at + 1"), ())
      }
      server.clock.advance(days: 30)
      let input = A02SignInTests.input("ada@example.com", Household.password)["input"]
      let phone = try await server.visitor.perform(Documents.signIn, ["input": input])
      server.clock.advance(seconds: 1_200)
      _ = try await signIn(server, on: "tablet")
      let token = phone["credentials.refreshToken"]
      let renewed = try await server.visitor.perform(Documents.refresh, ["token": token])
      #expect(renewed.userErrors == [])
    }
  }

  @Test func `the sessions of an earlier version end in portions`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await server.services.database.write { transaction in
        try transaction.run(Self.newer, Array(1...300))
      }
      server.clock.advance(seconds: 600)
      var (clients, counts): ([Client], [[Int64]]) = ([], [])
      for number in 1...4 {
        clients.append(try await signIn(server, on: "\(number)"))
        counts += try server.rows("SELECT count(*) FROM session", columns: 1)
      }
      #expect(counts == [[201], [101], [100], [100]])
      for client in clients { #expect(try await client.ask(Documents.whoAmI)["errors"] == .null) }
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
    }
  }

  @Test func `ending a session signs that device out at once, and no other`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let phone = try await signIn(server, on: "phone")
      let tablet = try await signIn(server, on: "tablet")
      for client in [phone, tablet] { #expect(try await client.ask(Documents.whoAmI)["errors"] == .null) }
      let id = try await ada.parent.ask(Documents.sessions)["data.viewer.sessions.1.id"]
      #expect(
        try await ada.parent.ask("query ($id: ID!) { node(id: $id) { ... on Session { device } } }", ["id": id])[
          "data.node.device"
        ] == "phone"
      )
      #expect(try await ada.parent.perform(Documents.endSession, ["id": id])["ended"] == true)
      for connection in [phone, phone.another, phone.another, phone.another] {
        #expect(try await connection.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      }
      for client in [tablet, ada.parent] { #expect(try await client.ask(Documents.whoAmI)["errors"] == .null) }
      #expect(try await ada.parent.ask(Documents.sessions)["data.viewer.sessions"].list.count == 2)
      let again = try await ada.parent.perform(Documents.endSession, ["id": id])
      #expect(again.userErrors == ["id NOT_FOUND"])
      #expect(again["ended"] == false)
    }
  }

  @Test func `another person's session looks like a missing one`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let foreign = try #require(
        try await other.parent.ask(Documents.sessions)["data.viewer.sessions.0.id"].string
      )
      var ended: Set<String> = []
      var found: Set<String> = []
      for id in [foreign] + OtherFamiliesTests.nothing + [ada.accountID] {
        ended.insert(try await ada.parent.post(Documents.endSession, ["id": .string(id)]).text)
        guard id != ada.accountID else { continue }
        found.insert(try await ada.parent.post("query ($id: ID!) { node(id: $id) { id } }", ["id": .string(id)]).text)
      }
      #expect(ended.count == 1 && found.count == 1, "\(ended) \(found)")
      #expect(try await child.perform(Documents.endSession, ["id": .string(foreign)]).codes == ["FORBIDDEN"])
      #expect(
        try await server.visitor.perform(Documents.endSession, ["id": .string(foreign)]).codes == ["UNAUTHENTICATED"]
      )
      #expect(try await other.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }
}
