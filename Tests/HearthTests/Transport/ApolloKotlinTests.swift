import Crypto
import Foundation
import TestSupport
import Testing

@testable import Hearth

/// Gradle and Kotlin are not available here. So these tests check the configuration against the schema, and send the
/// requests that Apollo Kotlin 4 sends, as its `DefaultHttpRequestComposer` and `GraphQLWsProtocol` write them.
@Suite("Apollo Kotlin")
struct ApolloKotlinTests {
  private static let folder = Checkout.root.appendingPathComponent("Examples/clients/apollo-kotlin")
  private static let accept =
    "multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json"
  private static let preflight = ("Apollo-Require-Preflight", "true")
  private static let library: Value = ["clientLibrary": ["name": "apollo-kotlin", "version": "4.3.3"]]

  private static func request(_ name: String, _ document: String, _ variables: Value) -> Value {
    [
      "operationName": .string(name), "variables": variables, "query": .string(document), "extensions": library,
    ]
  }

  // MARK: The configuration

  @Test func `every scalar of the schema is mapped, and the paths exist`() throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("build.gradle.kts"), encoding: .utf8)
    let schema = try String(contentsOf: Checkout.root.appendingPathComponent("schema.graphql"), encoding: .utf8)
    let scalars = schema.matches(of: /(?m)^scalar (\w+)/).map { String($0.1) }
    let mapped = text.matches(of: /mapScalar(?:ToUpload)?\("(\w+)"/).map { String($0.1) }
    #expect(scalars.count >= 3 && scalars.sorted() == mapped.sorted())
    #expect(text.contains(#"mapScalarToUpload("Upload")"#))
    let paths = text.matches(of: /(?:file|srcDir)\("([^"]+)"/).map { String($0.1) }
    #expect(paths.count == 2)
    for path in paths {
      #expect(FileManager.default.fileExists(atPath: Self.folder.appendingPathComponent(path).path), "\(path)")
    }
  }

  // MARK: The requests

  /// `Instant` and `LocalDate` of Java read and write ISO 8601, instants always in UTC.
  @Test func `times and dates have the forms of the adapters`() async throws {
    try await TestServer.run { server in
      let parent = try await Household(on: server).parent
      let document = """
        mutation AddChore($input: AddChoreInput!) { addChore(input: $input) { chore { dueAt createdAt } } }
        """
      let chore = try await post(
        Self.request("AddChore", document, ["input": ["name": "Sweep", "dueAt": "2096-10-02T07:06:40.500Z"]]),
        as: parent
      )["data.addChore.chore"]
      for key in ["dueAt", "createdAt"] {
        let time = try #require(chore[key].string)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z/) != nil, "\(time)")
      }
      let child = try await post(
        Self.request(
          "AddChild",
          "mutation AddChild($input: AddChildInput!) { addChild(input: $input) { child { dateOfBirth } } }",
          ["input": ["name": "Mia", "birth": ["dateOfBirth": "2018-05-01"]]]
        ),
        as: parent
      )
      #expect(child["data.addChild.child.dateOfBirth"] == "2018-05-01")
    }
  }

  private func post(_ request: Value, as client: Client) async throws -> Value {
    let token = try #require(client.token)
    let answer = try await client.http.post(
      request.text,
      accept: Self.accept,
      headers: [("Authorization", "Bearer \(token)")]
    )
    // The client accepts parts, but a query without `@defer` has none.
    #expect(answer.status == 200 && answer.headers["content-type"]?.contains("json") == true)
    return answer.json
  }

  /// The renewal is sent by a client without the interceptor, so it has no access token. Its first response is lost.
  @Test func `a renewal that is repeated with its key continues the session`() async throws {
    let snippets = try Document("Documentation/android.md").blocks.filter { $0.language == "kotlin" }
    #expect(snippets.contains { $0.text.contains("Idempotency-Key") && $0.text.contains("old.renewalKey") })
    try await TestServer.run { server in
      let household = try await Household(on: server)
      let document = """
        mutation RefreshSession($refreshToken: String!) { refreshSession(refreshToken: $refreshToken) {
          credentials { accessToken refreshToken expiresAt } } }
        """
      let request = Self.request("RefreshSession", document, ["refreshToken": .string(household.refreshToken)])
      let key = ("Idempotency-Key", "8e03978e-40d5-43dd-bc93-6894a57f9324")
      _ = try await server.http.post(request.text, accept: Self.accept, headers: [key])
      let answer = try await server.http.post(request.text, accept: Self.accept, headers: [key]).json
      let token = try #require(answer["data.refreshSession.credentials.accessToken"].string, "\(answer)")
      let sessions = try await household.parent.with(token: token).ask(Documents.sessions)
      #expect(sessions["data.viewer.sessions"].each("current") == [true])
      // It is the session of the first access token, and has not ended.
      #expect(try await household.parent.ask(Documents.sessions) == sessions)
    }
  }

  @Test func `forms with files are accepted`() async throws {
    try await TestServer.run { server in
      let parent = try await Household(on: server).parent
      let variables: Value = ["input": ["name": "Tent", "photo": nil]]
      let document = "mutation AddItem($input: AddItemInput!) { addItem(input: $input) { item { name } } }"
      let operations = Self.request("AddItem", document, variables).text
      let parts: [(head: String, body: [UInt8])] = [
        ("name=\"operations\"\r\nContent-Type: application/json", Array(operations.utf8)),
        ("name=\"map\"\r\nContent-Type: application/json", Array(#"{"0":["variables.input.photo"]}"#.utf8)),
        ("name=\"0\"; filename=\"tent.jpg\"\r\nContent-Type: image/jpeg", SamplePicture.jpeg()),
      ]
      let boundary = "6d1d6a2e-58d8-4d5b-9f6c-0d9f6f1e2a3b"
      var form: [UInt8] = []
      for (index, part) in parts.enumerated() {
        let start = (index == 0 ? "" : "\r\n") + "--\(boundary)\r\nContent-Disposition: form-data; "
        form += Array("\(start)\(part.head)\r\nContent-Length: \(part.body.count)\r\n\r\n".utf8) + part.body
      }
      form += Array("\r\n--\(boundary)--\r\n".utf8)
      let answer = try await parent.send(
        form,
        contentType: "multipart/form-data; boundary=\(boundary)",
        preflight: Self.preflight
      )
      #expect(answer.json["data.addItem.item.name"] == "Tent")
    }
  }

  /// A hash that the server does not know is answered by the code on which Apollo sends the document.
  @Test func `persisted queries work by GET`() async throws {
    try await TestServer.run { server in
      let document = "query Viewer { viewer { __typename } }"
      let hash = SHA256.hash(data: Data(document.utf8)).map { String(format: "%02x", $0) }.joined()
      let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
      let unknown = try await get(extensions, nil, from: server)
      #expect(unknown.codes == ["PERSISTED_QUERY_NOT_FOUND"])
      for query in [document, nil] {
        let answer = try await get(extensions, query, from: server)
        #expect(answer.json["data"] == ["viewer": nil])
      }
    }
  }

  private func get(_ extensions: String, _ query: String?, from server: TestServer) async throws -> HTTPAnswer {
    var parameters = [("operationName", "Viewer"), ("variables", "{}"), ("extensions", extensions)]
    if let query { parameters.append(("query", query)) }
    let text = parameters.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
    return try await server.http.get(
      "/graphql?" + text.joined(separator: "&"),
      accept: Self.accept,
      headers: [Self.preflight]
    )
  }

  @Test func `subscriptions arrive, and pings are answered`() async throws {
    try await TestServer.run { server in
      let parent = try await Household(on: server).parent
      let socket = try await LiveSocket.open(server.port)
      // Apollo Kotlin ignores the position in the acknowledgement.
      try await socket.initialize(parent.token)
      let document = "subscription Changes { familyChanged { __typename ... on ItemChanged { item { name } } } }"
      let id = "0d9f6f1e-2a3b-4c5d-8e9f-102132435465"
      let payload = Self.request("Changes", document, .object([:])).text
      try await socket.send(#"{"type":"subscribe","id":"\#(id)","payload":\#(payload)}"#)
      try await socket.send(#"{"type":"ping"}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong"}"#))
      _ = try await parent.perform(Documents.addItem, ["input": ["name": "Tent"]])
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      let message = try Value(Array(text.utf8))
      #expect(message["id"] == .string(id) && message["type"] == "next")
      #expect(message["payload.data.familyChanged"] == ["__typename": "ItemChanged", "item": ["name": "Tent"]])
      // With this in `extensions`, an app resumes.
      #expect(message["payload.extensions.position"].string != nil)
    }
  }
}
