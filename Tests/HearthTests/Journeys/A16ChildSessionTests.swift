import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("A16: parents list and end the sessions of their children", .timeLimit(.minutes(20)))
struct A16ChildSessionTests {
  static let sessions = """
    { family { children { name sessions {
      id device createdAt lastUsedAt current signInMethod openedBy { name } } } } }
    """

  /// Two parents and two children.
  struct Family {
    let ada: Household
    let grace: Household
    let mia: String
    let ben: String

    init(on server: TestServer) async throws {
      ada = try await Household(on: server)
      grace = try await Household(on: server, email: FamilyInvitationTests.guest, name: "Grace Hopper")
      try await ada.admit(grace, on: server)
      let changed = try await grace.parent.perform(
        Documents.changePassword,
        D11PasswordTests.change(Household.password, Self.gracesPassword)
      )
      #expect(changed.userErrors.isEmpty)
      mia = try await ada.addChild("Mia", username: "mia")
      ben = try await ada.addChild("Ben", username: "ben")
    }

    static let gracesPassword = "the password of Grace"
  }

  /// A child's app, and the token that keeps it signed in.
  struct App {
    let client: Client
    let refreshToken: Value

    init(_ outcome: Outcome, _ server: TestServer) {
      client = server.visitor.with(token: outcome["credentials.accessToken"].string)
      refreshToken = outcome["credentials.refreshToken"]
    }
  }

  static func signIn(
    _ username: Value,
    with password: String = Household.password,
    on device: Value = nil,
    _ server: TestServer
  ) async throws -> App {
    let input: Value = ["username": username, "password": .string(password), "device": device]
    return App(try await server.visitor.perform(Documents.signInChild, ["input": input]), server)
  }

  static func code(for child: String, by parent: Client) async throws -> Value {
    try await parent.ask(Documents.signInCode, ["id": .string(child)])["data.family.child.signInCode.token"]
  }

  static func scan(_ code: Value, _ server: TestServer) async throws -> App {
    let outcome = try await server.visitor.perform(Documents.signInWithCode, ["token": code, "device": "tablet"])
    return App(outcome, server)
  }

  static func expectEnded(_ app: App, _ server: TestServer, _ comment: Comment? = nil) async throws {
    #expect(try await app.client.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED", comment)
    let refreshed = try await server.visitor.perform(Documents.refresh, ["token": app.refreshToken])
    #expect(refreshed.userErrors == ["refreshToken NOT_FOUND"], comment)
  }

  static func expectAlive(_ app: App, _ server: TestServer, _ comment: Comment? = nil) async throws {
    #expect(try await app.client.ask(Documents.whoAmI)["errors"] == .null, comment)
    let refreshed = try await server.visitor.perform(Documents.refresh, ["token": app.refreshToken])
    #expect(refreshed.userErrors == [], comment)
  }

  // MARK: A parent who lost control of the password regains it

  enum Remedy: String, CaseIterable, Sendable {
    case changePassword, resetPassword, signOutEverywhere, deactivateAccount
  }

  private static func apply(_ remedy: Remedy, _ parent: Household, _ server: TestServer) async throws {
    let outcome: Outcome
    switch remedy {
    case .changePassword:
      let change = D11PasswordTests.change(Household.password, D11PasswordTests.fresh)
      outcome = try await parent.parent.perform(Documents.changePassword, change)
    case .resetPassword:
      _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(parent.email)])
      let token = Value.string(try await server.mail(to: parent.email, about: "new password").token)
      let new = Value.string(D11PasswordTests.fresh)
      outcome = try await server.visitor.perform(Documents.reset, ["token": token, "new": new])
    case .signOutEverywhere: outcome = try await parent.parent.perform(Documents.signOut, ["everywhere": true])
    case .deactivateAccount:
      outcome = try await parent.parent.perform(Documents.deactivate, D11DeactivateTests.password)
    }
    #expect(outcome.userErrors.isEmpty, "\(outcome)")
  }

  @Test(arguments: Remedy.allCases)
  func `child sessions opened by a parent's password or code end with it, and no other`(_ remedy: Remedy) async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      let stolen = try await Self.signIn("mia", server)
      let other = try await Self.signIn("ben", server)
      let scanned = try await Self.scan(try await Self.code(for: family.mia, by: family.ada.parent), server)
      let open = try await Self.code(for: family.ben, by: family.ada.parent)
      let graces = try await Self.signIn("mia", with: Family.gracesPassword, server)
      let gracesCode = try await Self.scan(try await Self.code(for: family.mia, by: family.grace.parent), server)
      let stranger = try await Household(on: server, email: "other@example.com")
      _ = try await stranger.addChild("Tom", username: "tom")
      let tom = try await Self.signIn("tom", server)
      let device = try await Listener.open(server.port, stolen.client, A06LiveDashboardTests.changes).listening()
      try await Self.apply(remedy, family.ada, server)
      let last = try await device.end()
      #expect(last == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      for app in [stolen, other, scanned] { try await Self.expectEnded(app, server, "\(remedy)") }
      let late = try await server.visitor.perform(Documents.signInWithCode, ["token": open])
      #expect(late.userErrors == ["token NOT_FOUND"])
      for app in [graces, gracesCode, tom] { try await Self.expectAlive(app, server, "\(remedy)") }
      #expect(try await family.grace.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `a change to the other parent's password ends the sessions of the old one`() async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      let graces = try await Self.signIn("mia", with: Family.gracesPassword, server)
      let change = D11PasswordTests.change(Family.gracesPassword, Household.password)
      #expect(try await family.grace.parent.perform(Documents.changePassword, change).userErrors.isEmpty)
      try await Self.expectEnded(graces, server)
    }
  }

  @Test func `events show each device its own session as the current one`() async throws {
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let changes = "subscription { familyChanged { ... on ChildChanged { child { sessions { current } } } } }"
      var devices: [Listener] = []
      for _ in 0..<2 {
        let input = C5ChildSignInTests.input("mia", Household.password)
        let token = try await server.visitor.perform(Documents.signInChild, input)["credentials.accessToken"].string
        devices.append(try await Listener.open(server.port, server.visitor.with(token: token), changes).listening())
      }
      let update: Value = ["id": .string(mia), "name": "Mimi"]
      #expect(try await ada.parent.perform(Documents.updateChild, ["input": update]).userErrors == [])
      var current: [[Value]] = []
      for device in devices {
        current.append(try await device.next()["data.familyChanged.child.sessions"].each("current"))
      }
      #expect(Set(current) == [[true, false], [false, true]])
    }
  }

  @Test func `a child that signs out everywhere ends its own sessions alone`() async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      let (one, two) = (try await Self.signIn("mia", server), try await Self.signIn("mia", server))
      let ben = try await Self.signIn("ben", server)
      #expect(try await one.client.perform(Documents.signOut, ["everywhere": true])["signedOut"] == true)
      for app in [one, two] { try await Self.expectEnded(app, server) }
      try await Self.expectAlive(ben, server)
      #expect(try await family.ada.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `a sign-in that overlaps the change of the password leaves no session`() async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      let (visitor, ada) = (server.visitor, family.ada.parent)
      let change = D11PasswordTests.change(Household.password, "a new one, ada")
      let outcomes = try await server.atOnce([
        { try await ada.perform(Documents.changePassword, change) },
        { try await visitor.perform(Documents.signInChild, C5ChildSignInTests.input("mia", Household.password)) },
      ])
      #expect(outcomes.map(\.userErrors) == [[], ["input WRONG_CREDENTIALS"]])
      #expect(try await ada.ask(Self.sessions)["data.family.children.0.sessions"] == [])
    }
  }

  // MARK: Sessions from before their origin was recorded

  @Test(arguments: Remedy.allCases)
  func `child sessions of unknown origin end too`(_ remedy: Remedy) async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      let old = try await Self.signIn("mia", with: Family.gracesPassword, server)
      try await server.services.database.write { transaction in
        try transaction.statement(
          StatementText("UPDATE session SET opened_by = NULL, sign_in_method = NULL WHERE member_id & 63 = 4")
        ).run()
      }
      let seen = try await family.grace.parent.ask(Self.sessions)["data.family.children.0.sessions.0"]
      #expect(seen["signInMethod"] == .null && seen["openedBy"] == .null && seen["id"] != .null)
      try await Self.apply(remedy, family.ada, server)
      try await Self.expectEnded(old, server)
      #expect(try await family.grace.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  // MARK: The list

  @Test func `either parent sees where their children are signed in, how and by whom`() async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      _ = try await Self.signIn("mia", on: "Mia's phone", server)
      server.clock.advance(seconds: 60)
      let tablet = try await Self.scan(try await Self.code(for: family.mia, by: family.grace.parent), server)
      server.clock.advance(seconds: 60)
      _ = try await server.visitor.perform(Documents.refresh, ["token": tablet.refreshToken])
      for parent in [family.ada.parent, family.grace.parent] {
        let children = try await parent.ask(Self.sessions)["data.family.children"].list
        #expect(children.map { $0["sessions"].list.count } == [2, 0])
        let seen = children[0]["sessions"].list
        #expect(seen.map { $0["device"] } == ["tablet", "Mia's phone"])
        #expect(seen.map { $0["signInMethod"] } == ["CODE", "PASSWORD"])
        #expect(seen.map { $0["openedBy.name"] } == ["Grace Hopper", "Ada Lovelace"])
        #expect(seen.map { $0["createdAt"] } == ["2026-11-21T08:01:00Z", "2026-11-21T08:00:00Z"])
        #expect(seen.map { $0["lastUsedAt"] } == ["2026-11-21T08:02:00Z", "2026-11-21T08:00:00Z"])
        #expect(seen.map { $0["current"] } == [false, false])
      }
      let own = try await family.ada.parent.ask(
        "{ viewer { ... on Account { sessions { signInMethod openedBy { name } } } } }"
      )["data.viewer.sessions.0"]
      #expect(own == ["signInMethod": "PASSWORD", "openedBy": ["name": "Ada Lovelace"]])
    }
  }

  @Test func `a child sees its own sessions, and null for its siblings`() async throws {
    try await TestServer.run { server in
      _ = try await Family(on: server)
      let mia = try await Self.signIn("mia", server)
      _ = try await Self.signIn("ben", server)
      let answer = try await mia.client.ask(Self.sessions)
      #expect(answer["errors"] == .null)
      let children = answer["data.family.children"].list
      #expect(children[0]["sessions"].list.map { $0["current"] } == [true])
      #expect(children[1]["sessions"] == .null)
    }
  }

  @Test func `the newest hundred are listed, none that have expired, by one statement`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 86_400 * 365 }) { server in
      let family = try await Family(on: server)
      let now = server.clock.clock.now()
      let children = try [family.mia, family.ben].map { try #require(server.services.cipher.key(of: $0)) }
      let familyKey = try #require(server.services.cipher.key(of: family.ada.familyID))
      let services = server.services
      try await server.services.database.write { transaction in
        let write = DatedWrite(at: Timestamp(now), in: transaction)
        for number in 0..<105 {
          for child in children {
            _ = try Sessions.begin(
              member: child,
              family: familyKey,
              device: "device \(number)",
              origin: Sessions.Origin(.password, by: child),
              isRemembered: number >= 3,
              services: services,
              in: write
            )
          }
        }
      }
      let seen = try await family.ada.parent.ask(Self.sessions)["data.family.children"].list
      for child in seen {
        let newest = (5..<105).reversed().map { Value.string("device \($0)") }
        #expect(child["sessions"].list.map { $0["device"] } == newest)
      }
      server.clock.advance(days: 181)
      // The parent's own session has expired, too.
      let signIn = A02SignInTests.input(family.ada.email, Household.password)
      let token = try await server.visitor.perform(Documents.signIn, signIn)["credentials.accessToken"].string
      let again = server.visitor.with(token: token)
      let refreshed = try await again.ask(Self.sessions)["data.family.children"].list
      #expect(refreshed.map { $0["sessions"] } == [[], []])
    }
  }

  // MARK: Ending one

  @Test func `either parent ends a session of a child's lost phone at once, and no other`() async throws {
    try await TestServer.run(loops: 2) { server in
      let family = try await Family(on: server)
      for (parent, round) in [(family.ada.parent, 1), (family.grace.parent, 2)] {
        let lost = try await Self.signIn("mia", on: .string("lost \(round)"), server)
        let kept = try await Self.signIn("mia", on: "kept", server)
        let device = try await Listener.open(server.port, lost.client, A06LiveDashboardTests.changes).listening()
        let listed = try await parent.ask(Self.sessions)["data.family.children.0.sessions"].list
        let session = try #require(listed.first { $0["device"] == .string("lost \(round)") })
        let node = try await parent.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": session["id"]])
        #expect(node["data.node.id"] == session["id"])
        let outcome = try await parent.perform(Documents.endSession, ["id": session["id"]])
        #expect(outcome["ended"] == true)
        let last = try await device.end()
        #expect(last == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
        try await Self.expectEnded(lost, server)
        try await Self.expectAlive(kept, server)
        #expect(try await parent.ask(Documents.whoAmI)["errors"] == .null)
        #expect(try await parent.perform(Documents.endSession, ["id": session["id"]]).userErrors == ["id NOT_FOUND"])
      }
    }
  }

  @Test func `nobody else ends it: a child, a sibling, another family, the other parent's own session`() async throws {
    try await TestServer.run { server in
      let family = try await Family(on: server)
      let mia = try await Self.signIn("mia", server)
      let ben = try await Self.signIn("ben", server)
      let stranger = try await Household(on: server, email: "other@example.com")
      let id = try await family.ada.parent.ask(Self.sessions)["data.family.children.0.sessions.0.id"]
      for child in [mia, ben] {
        #expect(try await child.client.perform(Documents.endSession, ["id": id]).codes == ["FORBIDDEN"])
      }
      #expect(try await stranger.parent.perform(Documents.endSession, ["id": id]).userErrors == ["id NOT_FOUND"])
      for client in [stranger.parent, ben.client] {
        #expect(
          try await client.ask("query ($id: ID!) { node(id: $id) { id } }", ["id": id])["data.node"] == .null
        )
      }
      let graces = try await family.grace.parent.ask(Documents.sessions)["data.viewer.sessions.0.id"]
      #expect(try await family.ada.parent.perform(Documents.endSession, ["id": graces]).userErrors == ["id NOT_FOUND"])
      try await Self.expectAlive(mia, server)
      #expect(try await family.grace.parent.ask(Documents.whoAmI)["errors"] == .null)
    }
  }
}
