import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

/// Sessions that end at another server on the same PostgreSQL database.
@Suite(
  "Sessions at several servers on one database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(30))
)
struct PostgreSQLSeveralServersSessionTests {
  private static let items = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"

  /// A token of a new session, without the limits of signing in.
  private static func token(of household: Household, at server: TestServer) async throws -> String {
    let services = server.services
    let (member, family) = (services.cipher.key(of: household.personID), services.cipher.key(of: household.familyID))
    let (person, home) = (try #require(member), try #require(family))
    let now = services.clock.now()
    let begun = try await services.database.write { transaction in
      try Sessions.begin(
        member: person,
        family: home,
        device: nil,
        origin: Sessions.Origin(.password, by: person),
        services: services,
        in: DatedWrite(at: Timestamp(now), in: transaction)
      )
    }
    return try await services.tokens.issue(for: begun.session, at: now).token
  }

  @Test func `a sign-out at one server is effective for the next request at another`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      for number in 0..<TestOptions.signOuts {
        let token = try await Self.token(of: ada, at: servers[0])
        let clients = servers.map { $0.visitor.with(token: token) }
        let (here, there) = (clients[number % 2], clients[1 - number % 2])
        // Both remember the session.
        for client in [here, there] {
          #expect(try await client.ask("{ family { id } }")["data.family.id"] == .string(ada.familyID))
        }
        #expect(try await here.perform(Documents.signOut)["signedOut"] == true)
        let rejected = try await there.ask(number.isMultiple(of: 3) ? Self.mutation : "{ family { id } }")
        #expect(rejected["errors.0.extensions.code"] == "TOKEN_REVOKED", "\(number): \(rejected)")
      }
    }
  }

  /// What ends the sessions of a member, or changes their rights.
  enum Change: CaseIterable {
    case newPassword, signOutEverywhere, removal, parentRemoval, move
  }

  @Test(arguments: Change.allCases, DatabaseHints.allCases)
  func `what changes at one server is effective for the next request and the connections at another`(
    change: Change,
    hints: DatabaseHints
  ) async throws {
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = hints }) { servers in
      let ada = try await Household(on: servers[0])
      let bob = try await Household(on: servers[0], email: "bob@example.com", name: "Bob")
      let mia = try await ada.addChild("Mia", username: "mia")
      let member =
        switch change {
        case .newPassword, .signOutEverywhere:
          servers[0].visitor.with(token: try await Self.token(of: ada, at: servers[0]))
        case .removal: try await ada.signIn("mia")
        case .parentRemoval, .move: bob.parent
        }
      if change == .parentRemoval { try await ada.admit(bob, on: servers[0]) }
      let there = member.at(servers[1])
      // The other server remembers the session.
      #expect(try await there.ask("{ family { id } }")["errors"] == nil)
      let listener = try await Listener.open(servers[1].port, there, Self.items).listening()
      switch change {
      case .newPassword:
        let passwords: Value = ["old": .string(Household.password), "new": "another good one"]
        #expect(try await ada.parent.perform(Documents.changePassword, passwords).userErrors == [])
      case .signOutEverywhere:
        #expect(try await ada.parent.perform(Documents.signOut, ["everywhere": true])["signedOut"] == true)
      case .removal:
        #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(mia)]).userErrors == [])
      // A parent who joined within a day is removed at once, into a family of their own.
      case .parentRemoval: #expect(try await ada.requestRemoval(of: bob).userErrors == [])
      case .move: try await ada.admit(bob, on: servers[0])
      }
      let next = try await there.ask("{ family { id } }")
      let (code, reason): (Value, String)
      if change == .move || change == .parentRemoval {
        let family = next["data.family.id"]
        #expect(family != nil && (family == .string(ada.familyID)) == (change == .move), "\(next)")
        (code, reason) = (nil, "RIGHTS_CHANGED")
      } else {
        (code, reason) = ("TOKEN_REVOKED", "SESSION_ENDED")
      }
      #expect(next["errors.0.extensions.code"] == code, "\(next)")
      let text = try await Self.reasonOfClosing(listener)
      #expect(text.contains(reason), "\(text)")
    }
  }

  /// On a busy machine the server may ask whether the client is there, or end the subscription with an error, before it
  /// closes the connection. But it sends no event.
  private static func reasonOfClosing(_ listener: Listener) async throws -> String {
    while true {
      switch try await listener.socket.receive() {
      case .close(_, let reason): return reason
      case .text(let text): #expect(!text.contains(#""type":"next""#), "\(text)")
      default: break
      }
    }
  }

  @Test func `the tokens that one server signs are accepted by another, also after each has replaced the keys`()
    async throws
  {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      var tokens = [ada.parent.token ?? ""]
      for signer in servers + servers {
        let rotated = try await Program(["keys", "rotate", "--data", signer.directory.path]).result()
        #expect(rotated.status == 0, "\(rotated.errors)")
        tokens.append(try await Self.token(of: ada, at: signer))
        for token in tokens {
          for server in servers {
            let answer = try await server.visitor.with(token: token).another.ask("{ family { id } }")
            #expect(answer["data.family.id"] == .string(ada.familyID), "\(tokens.count): \(answer)")
          }
        }
      }
      // Nobody accepts what another key has signed.
      let other = await AccessTokens(
        SigningKeys(current: Array(repeating: 7, count: 32)),
        cipher: servers[0].services.cipher,
        lifetime: 900
      )
      let session = try servers[0].rows("SELECT min(id) FROM session", columns: 1)[0][0]
      let forged = try await other.issue(for: GlobalID(rawValue: session), at: servers[0].clock.clock.now()).token
      for server in servers {
        let answer = try await server.visitor.with(token: forged).ask("{ family { id } }")
        #expect(answer["errors.0.extensions.code"] == "TOKEN_MALFORMED", "\(answer)")
      }
    }
  }

  @Test func `a fresh token is accepted by another server, also after forged ones and at several requests at once`()
    async throws
  {
    // There are no hints of the keys.
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = .poll }) { servers in
      let (signer, other) = (servers[0].services, servers[1])
      let ada = try await Household(on: servers[0])
      let session = GlobalID(rawValue: try servers[0].rows("SELECT min(id) FROM session", columns: 1)[0][0])
      let now = servers[0].clock.clock.now()
      for _ in 1...2 {
        let forger = await AccessTokens(
          SigningKeys(current: Secrets.random(32)),
          cipher: signer.cipher,
          lifetime: 900
        )
        let forged = try await forger.issue(for: session, at: now).token
        // The other server reads the keys again.
        let rejected = try await other.visitor.with(token: forged).ask(Documents.whoAmI)
        #expect(rejected["errors.0.extensions.code"] == "TOKEN_MALFORMED", "\(rejected)")
        let keys = try await signer.database.write { transaction in
          let write = DatedWrite(at: Timestamp(now), in: transaction)
          return try SigningKeys.rotate(lifetime: 900_000, immediately: false, in: write)
        }
        await signer.adoptStored(keys)
        let token = try await signer.tokens.issue(for: session, at: now).token
        let clients = (1...8).map { _ in other.visitor.with(token: token).another }
        try await withThrowingTaskGroup(of: Value.self) { group in
          for client in clients { group.addTask { try await client.ask(Documents.whoAmI) } }
          for try await answer in group { #expect(answer["errors"] == .null, "\(answer)") }
        }
        #expect(try await ada.parent.at(other).ask(Documents.whoAmI)["errors"] == .null)
      }
      // For what is no token of this service the keys are not read.
      let reads = other.services.keyRefresh.reads
      #expect(reads >= 2)
      for token in ["x", "x.y.z", String(repeating: "a", count: 200)] {
        let rejected = try await other.visitor.with(token: token).ask(Documents.whoAmI)
        #expect(rejected["errors.0.extensions.code"] == "TOKEN_MALFORMED", "\(rejected)")
      }
      #expect(other.services.keyRefresh.reads == reads)
    }
  }

  @Test(arguments: DatabaseHints.allCases)
  func `a key that is revoked at one server is revoked at the others, whose clients send nothing new`(
    hints: DatabaseHints
  ) async throws {
    try await TestServer.runSeveral(3, configure: { $0.databaseHints = hints }) { servers in
      let ada = try await Household(on: servers[0])
      // All remember the token.
      for server in servers { #expect(try await ada.parent.at(server).ask(Documents.whoAmI)["errors"] == .null) }
      let listener = try await Listener.open(servers[1].port, ada.parent.at(servers[1]), Self.items).listening()
      let revoked = try await Program(["keys", "rotate", "--now", "--data", servers[0].directory.path]).result()
      #expect(revoked.status == 0, "\(revoked.errors)")
      for server in servers {
        var answer: Value
        repeat { answer = try await ada.parent.at(server).ask(Documents.whoAmI) } while answer["errors"] == .null
        #expect(answer["errors.0.extensions.code"] == "TOKEN_EXPIRED", "\(answer)")
      }
      let reason = try await Self.reasonOfClosing(listener)
      #expect(reason.contains("TOKEN_EXPIRED"), "\(reason)")
    }
  }

  private static let mutation = #"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#

  @Test(arguments: [DatabaseHints.notify, .poll])
  func `a sign-out at one server closes the connections at another, also without a message`(hints: DatabaseHints)
    async throws
  {
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = hints }) { servers in
      let ada = try await Household(on: servers[0])
      let other = try await Self.token(of: ada, at: servers[0])
      let device = try await Listener.open(servers[1].port, ada.parent.at(servers[1]), Self.items).listening()
      let kept = try await Listener.open(servers[1].port, servers[1].visitor.with(token: other), Self.items).listening()
      #expect(try await ada.parent.perform(Documents.signOut)["signedOut"] == true)
      let reason = try await Self.reasonOfClosing(device)
      #expect(reason.contains("SESSION_ENDED"), "\(reason)")
      _ = try await servers[0].visitor.with(token: other).perform(Documents.addItem, ["input": ["name": "Milk"]])
      #expect(try await kept.next()["data.familyChanged.item.name"] == "Milk")
    }
  }

  @Test func `a move at one server closes the connections at another, also if the session is renewed there first`()
    async throws
  {
    // There is no message of the move.
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = .poll }) { servers in
      let ada = try await Household(on: servers[0])
      let bob = try await Household(on: servers[0], email: "bob@example.com", name: "Bob")
      let phone = try await Listener.open(servers[1].port, bob.parent.at(servers[1]), Self.items).listening()
      try await ada.admit(bob, on: servers[0])
      // The other server now knows the new family. A request with the access token would find that it is another one.
      let token = Value.string(bob.refreshToken)
      let renewed = try await servers[1].visitor.perform(Documents.refresh, ["token": token])
      #expect(renewed.userErrors == [], "\(renewed)")
      #expect(try await phone.end() == .close(1013, "RIGHTS_CHANGED: Your rights have changed: reconnect."))
    }
  }
}
