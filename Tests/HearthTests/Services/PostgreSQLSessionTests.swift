import GraphQLTransport
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// The session of a request is read with its first data: also when another process has changed it.
@Suite(
  "Sessions on PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL.")
)
struct PostgreSQLSessionTests {
  /// Changes the data as another process does.
  private func execute(_ sql: String, on server: TestServer) async throws {
    let name = try await ServerDatabases.name(forFolder: server.directory.path)
    try await PostgreSQLCluster.shared().execute(sql, in: name)
  }

  @Test(
    arguments: [
      "{ family { name } }", "{ viewer { __typename } }",
      "{ viewer { ... on Account { id person { contactInfo { id } } } } }",
      #"mutation { addItem(input: {name: "Milk"}) { item { id } } }"#,
    ]
  )
  func `no request is served after another process has ended the session`(document: String) async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      // The loop remembers the session from here on.
      #expect(try await ada.parent.ask("{ family { name } }")["errors"] == nil)
      let live = try await LiveSocket.open(server.port)
      _ = try await live.initialize(ada.parent.token)
      try await execute("DELETE FROM session", on: server)
      let answer = try await ada.parent.post(document)
      #expect(try Value(answer.body)["errors.0.extensions.code"] == "TOKEN_REVOKED", "\(answer.text)")
      // The response is that to a token whose session the server knows to have ended.
      let again = try await ada.parent.post(document)
      #expect(again.status == answer.status && again.body == answer.body, "\(again.text)")
      if !document.hasPrefix("mutation") {
        guard case .close(_, let reason) = try await live.receive() else {
          Issue.record("The connection was not closed.")
          return
        }
        #expect(reason.contains("SESSION_ENDED"), "\(reason)")
      }
    }
  }

  @Test func `a request finds the family to which another process has moved the member`() async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      let bob = try await Household(on: server, email: "bob@example.com", name: "Bob")
      let read = "{ family { id parents { id } } }"
      #expect(try await ada.parent.ask(read)["data.family.id"] == .string(ada.familyID))
      let family = server.services.cipher.key(of: bob.familyID)?.rawValue ?? 0
      try await execute("SET session_replication_role = replica; UPDATE session SET family_id = \(family)", on: server)
      let moved = try await ada.parent.ask(read)
      #expect(moved["data.family.id"] == .string(bob.familyID), "\(moved)")
    }
  }

  private func roundTrips(_ server: TestServer, _ token: String?, _ document: String) async throws -> Int {
    let before = server.services.database.postgreSQLStatistics.readRoundTrips
    let answer = try await server.visitor.with(token: token).ask(document)
    #expect(answer["errors"] == nil, "\(answer)")
    return server.services.database.postgreSQLStatistics.readRoundTrips - before
  }

  @Test func `the session costs no round trip`() async throws {
    let directory = try TemporaryDirectory()
    var (token, chore) = ("", "")
    var known: [Int] = []
    let documents = { (chore: String) in
      [
        #"{ node(id: "\#(chore)") { ... on Chore { name } } }"#,
        "{ family { name children { name assignedChores(first: 3) { nodes { name } } } } }",
      ]
    }
    func run(_ body: (TestServer) async throws -> Void) async throws {
      try await TestServer.run(
        loops: 1,
        in: directory,
        database: .postgresql,
        configure: { $0.responseCacheBytes = 0 },
        body
      )
    }
    try await run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      chore = try await ada.addChore(for: [mia])
      token = ada.parent.token ?? ""
      for document in documents(chore) { known.append(try await roundTrips(server, token, document)) }
    }
    for (document, known) in zip(documents(chore), known) {
      try await run { server async throws in
        // This process has to find out to whom the session belongs before it can read anything else.
        #expect(try await roundTrips(server, token, document) == known + 1)
        #expect(try await roundTrips(server, token, document) == known)
      }
    }
    #expect(known == [1, 3])
    try await ServerDatabases.drop(forFolder: directory.path)
  }

  /// Debug builds execute the query as well, in another round trip.
  @Test func `a response that is sent again is read in the round trip of the session`() async throws {
    try await TestServer.run(loops: 1, database: .postgresql) { server in
      let ada = try await Household(on: server)
      let document = "{ family { name } }"
      #expect(try await roundTrips(server, ada.parent.token, document) == 1)
      let hits = server.services.responseCacheCounts.hitCount
      #expect(try await roundTrips(server, ada.parent.token, document) == 2)
      #expect(server.services.responseCacheCounts.hitCount == hits + 1)
    }
  }
}
