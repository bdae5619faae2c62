import GraphQL
import Testing

@testable import Hearth

/// Requests that read in passes, level by level, get the same responses as those whose statements are answered at once.
@Suite("Reads that are not answered at once")
struct DeferredReadTests {
  private static let everything = """
    { viewer { ... on Account { id person { id } } } family { id parents { id } children { id username
      assignedChores(first: 20) { nodes { id } } contract { id } }
      chores(first: 50) { nodes { id reminders { id } } } items(first: 50) { nodes { id } } }
      search(query: "a", first: 50) { nodes { ... on Person { id } ... on Group { id } } } }
    """

  @Test func `500 random queries get byte-identical responses`() async throws {
    let directory = try TemporaryDirectory()
    var tokens: [String?] = [nil]
    var documents: [(token: String?, document: String)] = []
    var expected: [HTTPAnswer] = []
    try await run(in: directory, .sqlite) { server in
      let parent = A02SignInTests.input("ada@example.com", "hearth-demo")
      let ada = try await server.visitor.perform(Documents.signIn, parent)["credentials.accessToken"].string
      tokens.append(ada)
      let answer = try await server.visitor.with(token: ada).ask(Self.everything)
      let username = try #require(answer["data.family.children.0.username"].string)
      let child: Value = ["input": ["username": .string(username), "password": "hearth-demo"]]
      let mia = try await server.visitor.perform(Documents.signInChild, child)["credentials.accessToken"].string
      tokens.append(mia)
      var queries = RandomQueries(try HearthSchema.executable().schema, ids: Self.ids(in: answer), seed: 17)
      for number in 0..<500 {
        // Every tenth caller is a visitor, every fifth the child.
        let token = number.isMultiple(of: 10) ? tokens[0] : number.isMultiple(of: 5) ? tokens[2] : tokens[1]
        documents.append((token, queries.next()))
      }
      for (token, document) in documents { expected.append(try await server.visitor.with(token: token).post(document)) }
    }
    try await run(in: directory, .deferred) { server in
      for ((token, document), expected) in zip(documents, expected) {
        let answer = try await server.visitor.with(token: token).post(document)
        #expect(answer.status == expected.status && answer.body == expected.body, "\(document)\n\(answer.text)")
      }
    }
    // Most documents are no errors.
    #expect(expected.count { $0.text.hasPrefix(#"{"data""#) && !$0.text.contains(#""errors""#) } > 250)
  }

  @Test func `requests that wait at the same time each see one snapshot of their own`() async throws {
    try await TestServer.run(loops: 1, database: .deferred) { server in
      let ada = try await Household(on: server)
      let names = try await withThrowingTaskGroup(of: [Value].self) { group in
        for _ in 0..<8 {
          let reader = ada.parent.another
          group.addTask {
            var names: [Value] = []
            for _ in 0..<25 {
              let answer = try await reader.ask("{ a: family { name } viewer { ... on Account { family { name } } } }")
              names += [answer["data.a.name"], answer["data.viewer.family.name"]]
            }
            return names
          }
        }
        let writer = ada.parent.another
        group.addTask {
          for number in 0..<25 {
            _ = try await writer.perform(
              "mutation ($name: String!) { updateFamily(input: {name: $name}) { family { name } \(Documents.errors) } }",
              ["name": .string("Family \(number)")]
            )
          }
          return []
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for list in names {
        for index in stride(from: 0, to: list.count, by: 2) { #expect(list[index] == list[index + 1]) }
      }
    }
  }

  private func run(
    in directory: TemporaryDirectory,
    _ database: TestDatabase,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    // URLs in responses contain the server's address.
    try await TestServer.run(
      in: directory,
      demo: database == .sqlite,
      database: database,
      configure: { $0.publicURL = "https://hearth.example" },
      body
    )
  }

  private static func ids(in value: Value) -> [String] {
    switch value {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, member in
        name == "id" ? member.string.map { [$0] } ?? [] : ids(in: member)
      }
    case .array(let items): items.flatMap(ids)
    default: []
    }
  }
}
