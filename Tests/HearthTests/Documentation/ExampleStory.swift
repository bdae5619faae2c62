import Foundation
import TestSupport
import Testing

/// The examples that have been run so far, on one server.
struct ExampleStory {
  let server: TestServer
  private let documents: [String: ExampleDocument]
  private var executed: Set<String> = []

  init(_ server: TestServer) throws {
    self.server = server
    let folder = Checkout.root.appendingPathComponent("Examples")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".graphql") }
    documents = Dictionary(
      uniqueKeysWithValues: try files.map { file in
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return (String(file.dropLast(".graphql".count)), ExampleDocument(text))
      }
    )
  }

  var visitor: Client { server.visitor }
  var missing: [String] { documents.keys.filter { !executed.contains($0) }.sorted() }

  /// Runs an example with values for its blanks, and with files for its uploads, both by their paths. Returns the
  /// response's only root field, or the one below `viewer`.
  @discardableResult
  mutating func run(
    _ name: String,
    as client: Client,
    _ blanks: [String: Value] = [:],
    files: [String: [UInt8]] = [:]
  ) async throws -> Value {
    executed.insert(name)
    let example = try #require(documents[name], "\(name)")
    let variables = blanks.reduce(example.variables) { $0.setting(at: $1.key, $1.value) }
    #expect(!variables.hasBlanks, "\(name): \(variables)")
    let answer =
      files.isEmpty
      ? try await client.post(example.text, variables)
      : try await client.postFiles(example.text, variables, files)
    try #require(answer.status == 200 && answer.json["errors"] == .null, "\(name): \(answer.text)")
    guard case .object(let members) = answer.json["data"], let root = members.values.first else { return .null }
    #expect(root["userErrors"].list == [], "\(name): \(answer.text)")
    #expect(root != .null, "\(name): \(answer.text)")
    return root
  }

  /// Subscribes to an example without variables, lets something happen, and gives the first event that comes.
  @discardableResult
  mutating func follow(_ name: String, as client: Client, while happening: () async throws -> Void = {}) async throws
    -> Value
  {
    executed.insert(name)
    let example = try #require(documents[name], "\(name)")
    let socket = try await LiveSocket.open(server.port)
    try await socket.initialize(client.token)
    let request: Value = ["id": "1", "type": "subscribe", "payload": ["query": .string(example.text)]]
    try await socket.send(request.text)
    // A later operation of the same socket gets its response once the subscription is active.
    try await socket.subscribe("2", "{ __typename }")
    var event: Value?
    while true {
      guard case .text(let text) = try await socket.receive() else { break }
      let message = try Value(Array(text.utf8))
      if message["id"] == "1" { event = message }
      if message["id"] == "2", message["type"] == "complete" { try await happening() }
      if let event {
        #expect(event["type"] == "next" && event["payload.errors"] == .null, "\(name): \(event)")
        return event["payload.data"]
      }
    }
    Issue.record("\(name): the socket was closed")
    return .null
  }

  /// A client with these credentials.
  func client(_ payload: Value) -> Client { visitor.with(token: payload["credentials.accessToken"].string) }

  mutating func signIn() async throws -> Client { client(try await run("sign-in", as: visitor)) }

  /// As shown in the lists of others.
  func person(_ client: Client) async throws -> Value {
    try await client.ask("{ viewer { ... on Account { person { id } } } }")["data.viewer.person.id"]
  }

  /// The demo family's first reminder, once it is due.
  mutating func dueReminder(_ client: Client) async throws -> Value {
    server.clock.advance(seconds: 6 * 3_600)
    while true {
      let reminder = try await run("reminders", as: client)["reminders.nodes.0.id"]
      if reminder != .null { return reminder }
    }
  }
}
