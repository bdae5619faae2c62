import TestSupport
import Testing

@testable import Hearth

/// The erasure of a person whom several servers on one PostgreSQL database have served.
@Suite(
  "Erasures at several servers on one database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(30))
)
struct PostgreSQLSeveralServersErasureTests {
  private static let family = """
    { family { parents { id name avatar { url } } items(first: 9) { nodes { createdBy { name } } } } }
    """

  @Test(arguments: DatabaseHints.allCases)
  func `what one server erases is gone at the others, which serve the family meanwhile`(hints: DatabaseHints)
    async throws
  {
    let configure: (inout Configuration) -> Void = {
      $0.databaseHints = hints
      $0.accessTokenLifetime = 365 * 86_400
    }
    try await TestServer.runSeveral(3, configure: configure) { servers in
      let story = try await ErasureStory(on: servers[0])
      let keys = try story.keys(servers[0])
      var avatars: [Value] = []
      for server in servers {
        #expect(try await story.leaver.at(server).parent.ask(Documents.whoAmI)["errors"] == .null)
        let parents = try await story.stayer.at(server).parent.ask(Self.family)["data.family.parents"].list
        let avatar = try #require(parents.first { $0["id"] == .string(story.leaver.personID) })["avatar"]
        #expect(try await server.visitor.load(avatar).status == 200)
        avatars.append(avatar)
      }
      #expect(servers.map(\.pictureFiles.count) == [3, 1, 1])

      #expect(try await story.leaver.at(servers[1]).deleteAccount().userErrors == [])
      for server in servers {
        let rejected = try await story.leaver.at(server).parent.ask(Documents.whoAmI)
        #expect(rejected["errors.0.extensions.code"] == "TOKEN_REVOKED", "\(rejected)")
      }
      try await Self.serving(story, at: servers) {
        servers[0].clock.advance(days: 30)
        try await servers[0].erasures(become: 1)
      }

      for (server, avatar) in zip(servers, avatars) {
        let stayer = story.stayer.at(server)
        let seen = try await stayer.parent.ask(Self.family)
        #expect(seen["data.family.parents"].each("name") == ["Ada Lovelace"], "\(seen)")
        #expect(!seen.text.contains("Xanthippe"))
        #expect(try await stayer.search("Xanthippe") == [])
        let node = try await stayer.parent.ask("{ node(id: \"\(story.leaver.personID)\") { ... on Person { name } } }")
        #expect(node["data.node"] == ["name": .string(Erasure.name)], "\(node)")
        #expect(try await story.leaver.reactivate(on: server).userErrors == ["input WRONG_CREDENTIALS"])
        // A process does so every hour, and gets no message.
        if hints == .poll { server.services.pictures.removeCopiesWithoutRow(of: server.services.database) }
        while server.pictureFiles.count > (server.port == servers[0].port ? 2 : 0) { await Task.yield() }
        #expect(try await server.visitor.load(avatar).status == 404)
      }
      // What was still to be sent is gone, too.
      for server in servers {
        await server.deliverMail()
        await server.deliverPushes()
      }
      for server in servers {
        let walk = try await DataWalk(
          of: server.directory.path,
          words: ErasureStory.words,
          keys: keys,
          in: .postgresql
        )
        #expect(Set(walk.locations).subtracting(ErasureTests.historyOfPerson) == [])
      }
    }
  }

  /// While `body` runs, the other parent reads and writes at every server, also what concerns the one who leaves.
  private static func serving(
    _ story: ErasureStory,
    at servers: [TestServer],
    _ body: () async throws -> Void
  ) async throws {
    let ends = Counter()
    let input = "{ personId: \"\(story.leaver.personID)\", sharing: [] }"
    let request = "mutation { requestContact(input: \(input)) { userErrors { code } } }"
    try await withThrowingTaskGroup { group in
      for server in servers {
        group.addTask {
          let stayer = story.stayer.at(server)
          while ends.count == 0 {
            for document in [family, #"mutation { addItem(input: { name: "Rope" }) { item { id } } }"#, request] {
              let answer = try await stayer.parent.ask(document)
              #expect(answer["errors"] == .null, "\(answer)")
            }
          }
        }
      }
      do {
        defer { ends.increment() }
        try await body()
      }
      try await group.waitForAll()
    }
  }
}
