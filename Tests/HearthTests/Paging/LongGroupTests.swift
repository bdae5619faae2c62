import Storage
import Testing

@testable import Hearth

@Suite("Long lists of members, and searches in many people")
struct LongGroupTests {
  /// A server over the data that `hearth seed` makes, and its first person's app.
  private func run(people: Int, _ body: (TestServer, Client) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    try await BenchmarkData.fill(directory: directory.path, families: 0, people: people, seed: 1)
    try await TestServer.run(in: directory) { server in
      let input = A02SignInTests.input("person1@example.com", BenchmarkData.password)
      let token = try await server.visitor.perform(Documents.signIn, input)["credentials.accessToken"].string
      try await body(server, server.visitor.with(token: token))
    }
  }

  @Test func `a group of 1,263 is listed page by page, in order and whole`() async throws {
    try await run(people: 1_263) { _, client in
      let group = try await client.ask(
        "{ viewer { ... on Account { groups { nodes { id memberCount } } contacts { totalCount } } } }"
      )["data.viewer"]
      #expect(group["contacts.totalCount"] == 1_262)
      let first = try #require(
        group["groups.nodes"].list.max { ($0["memberCount"].int ?? 0) < ($1["memberCount"].int ?? 0) }
      )
      #expect(first["memberCount"] == 1_263)
      var names: [String] = []
      var after: Value = nil
      repeat {
        let variables: Value = ["id": first["id"], "first": 100, "after": after]
        let page = try await client.ask(Documents.members, variables)["data.node.members"]
        #expect(page["totalCount"] == 1_263)
        names += page["nodes"].each("person.name").compactMap(\.string)
        after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
      } while after != nil
      #expect(names.count == 1_263)
      let keys = names.map(NameOrder.key)
      #expect(zip(keys, keys.dropFirst()).allSatisfy { !$1.utf8.lexicographicallyPrecedes($0.utf8) })
    }
  }

  @Test func `a search stops at its page, and counts no further than a thousand`() async throws {
    try await run(people: 1_500) { _, client in
      // Nearly everybody is of a town with an o or an s, or has one in their school.
      let answer = try await client.ask(Documents.search, ["query": "high", "first": 50])["data.search"]
      #expect(answer["nodes"].list.count == 50)
      #expect(answer["pageInfo.hasNextPage"] == true)
      let everyone = try await client.ask(
        "{ a: search(query: \"a\") { totalCount } h: search(query: \"h\") { totalCount } }"
      )
      #expect(everyone["data.a.totalCount"].int ?? 0 > 100)
      #expect(everyone["data.h.totalCount"].int ?? 0 <= 1_000)
    }
  }
}
