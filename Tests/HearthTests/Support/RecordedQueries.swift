import GraphQL
import TestSupport
import Testing

@testable import Hearth

/// Random queries of a demo family by different callers, with the responses of a server with SQLite, to compare them
/// with those of other databases.
struct RecordedQueries {
  private struct Recorded {
    let token: String?
    let document: String
    let answer: HTTPAnswer
  }

  private static let everything = """
    { viewer { ... on Account { id person { id } } } family { id parents { id } children { id username
      assignedChores(first: 20) { nodes { id } } contract { id } }
      chores(first: 50) { nodes { id reminders { id } } } items(first: 50) { nodes { id } } }
      search(query: "a", first: 50) { nodes { ... on Person { id } ... on Group { id } } } }
    """

  private var queries: [Recorded] = []

  /// Creates the demo family in `directory`, where another server can then serve it.
  init(_ count: Int, seed: UInt64, in directory: TemporaryDirectory) async throws {
    var recorded: [Recorded] = []
    try await Self.run(in: directory, .sqlite) { server in
      let parent = A02SignInTests.input("ada@example.com", "hearth-demo")
      let ada = try await server.visitor.perform(Documents.signIn, parent)["credentials.accessToken"].string
      let answer = try await server.visitor.with(token: ada).ask(Self.everything)
      let username = try #require(answer["data.family.children.0.username"].string)
      let child: Value = ["input": ["username": .string(username), "password": "hearth-demo"]]
      let mia = try await server.visitor.perform(Documents.signInChild, child)["credentials.accessToken"].string
      var queries = RandomQueries(try HearthSchema.executable().schema, ids: Self.ids(in: answer), seed: seed)
      for number in 0..<count {
        // Every tenth caller is a visitor, every fifth the child.
        let token = number.isMultiple(of: 10) ? nil : number.isMultiple(of: 5) ? mia : ada
        let document = queries.next()
        let answer = try await server.visitor.with(token: token).post(document)
        recorded.append(Recorded(token: token, document: document, answer: answer))
      }
    }
    queries = recorded
    // Most documents are no errors.
    let withoutErrors = queries.count {
      $0.answer.text.hasPrefix(#"{"data""#) && !$0.answer.text.contains(#""errors""#)
    }
    #expect(withoutErrors > count / 2)
  }

  /// Sends the queries to a server with the same data, and expects the same bytes.
  func compare(with server: TestServer) async throws {
    for query in queries {
      let answer = try await server.visitor.with(token: query.token).post(query.document)
      #expect(
        answer.status == query.answer.status && answer.body == query.answer.body,
        "\(query.document)\n\(query.answer.text)\n\(answer.text)"
      )
    }
  }

  static func run(
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
