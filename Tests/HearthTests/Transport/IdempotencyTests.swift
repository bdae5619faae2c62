import Storage
import TestSupport
import Testing

@testable import GraphQLTransport
@testable import Hearth

@Suite("A mutation with an idempotency key")
struct IdempotencyTests {
  private static let add = "mutation ($name: String!) { addItem(input: {name: $name}) { item { id name } } }"
  private static let addTwo = """
    mutation { a: addItem(input: {name: "Tent"}) { item { name } } b: addItem(input: {name: "Rope"}) { item { name } } }
    """

  private func send(
    _ client: Client,
    _ key: String?,
    _ document: String = add,
    _ variables: Value = ["name": "Tent"],
    inHeader: Bool = true
  ) async throws -> HTTPAnswer {
    var request: Value = ["query": .string(document), "variables": variables]
    var headers = client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
    if let key, inHeader { headers.append(("Idempotency-Key", key)) }
    if let key, !inHeader { request = request.setting("extensions", ["idempotencyKey": .string(key)]) }
    return try await client.http.post(request.text, headers: headers)
  }

  private func count(_ client: Client) async throws -> Value {
    try await client.ask("{ family { items { totalCount } } }")["data.family.items.totalCount"]
  }

  /// As if the server had stopped before these rows were written.
  private func forget(_ condition: String, on server: TestServer) async throws {
    try await server.services.database.write { transaction in
      try transaction.reader.statement(WrittenOnce.sql("DELETE FROM idempotent_write WHERE \(condition)")).run()
    }
  }

  @Test func `takes effect once, and is answered with the first response`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let first = try await send(ada.parent, "\"one\"")
      #expect(first.json["data.addItem.item.name"] == "Tent")
      _ = try await ada.parent.ask("mutation { updateFamily(input: {name: \"Byron\"}) { family { name } } }")
      for (key, inHeader) in [("\"one\"", true), ("one", true), ("one", false)] {
        let again = try await send(ada.parent.another, key, inHeader: inHeader)
        #expect(again.status == 200 && again.body == first.body)
      }
      #expect(try await count(ada.parent) == 1)
      // Another key, no key, and another caller.
      _ = try await send(ada.parent, "two")
      _ = try await send(ada.parent, nil)
      #expect(try await count(ada.parent) == 3)
      let bob = try await Household(on: server, email: "bob@example.com")
      #expect(try await send(bob.parent, "one").json["data.addItem.item.name"] == "Tent")
      #expect(try await count(bob.parent) == 1)
      // Nor do members of one family share keys.
      let eve = try await Household("Eve Guest", on: server)
      try await ada.admit(eve, on: server)
      _ = try await send(eve.parent, "one")
      #expect(try await count(ada.parent) == 4)
      // Queries ignore it.
      #expect(try await send(ada.parent, "one", "{ __typename }", [:]).text == #"{"data":{"__typename":"Query"}}"#)
    }
  }

  @Test func `is not counted again when it is repeated`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await send(ada.parent, "one")
      try await forget("step = 0", on: server)
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let (limits, now) = (server.services.rateLimits, server.clock.clock.now())
      while limits.take(.mutation, count: 1_000, by: .init(subject: .family(family)), at: now) == nil {}
      while limits.take(.mutation, by: .init(subject: .family(family)), at: now) == nil {}
      #expect(try await send(ada.parent, "two").codes == ["RATE_LIMITED"])
      let again = try await send(ada.parent, "one")
      #expect(again.json["data.addItem.item.name"] == "Tent", "\(again.text)")
    }
  }

  @Test func `must be the same request`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await send(ada.parent, "one")
      let others: [(String, Value)] = [
        (Self.add, ["name": "Rope"]), (Self.add + " ", ["name": "Tent"]), (Self.addTwo, [:]),
      ]
      for (document, variables) in others {
        let answer = try await send(ada.parent, "one", document, variables)
        #expect(answer.json["errors.0.extensions.code"] == "IDEMPOTENCY_KEY_REUSED", "\(answer.text)")
      }
      #expect(try await count(ada.parent) == 1)
    }
  }

  @Test func `can name the document by its SHA-256 when it is repeated`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let document = "mutation { addChore(input: { name: \\\"Sweep\\\", priority: 3 }) { chore { id } } }"
      let sent = document.replacing("\\", with: "")
      let hash = String(decoding: SHA256Digits.hex(of: Array(sent.utf8)), as: UTF8.self)
      let persisted = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")"), ("Idempotency-Key", "one")]
      var answers: Set<String> = []
      for body in [
        #"{"query":"\#(document)",\#(persisted)}"#, "{\(persisted)}", #"{"query":"\#(document)"}"#,
        #"{"documentId":"sha256:\#(hash)"}"#,
      ] {
        answers.insert(try await server.http.post(body, headers: headers).text)
      }
      #expect(answers.count == 1 && answers.first?.contains("errors") == false, "\(answers)")
    }
  }

  @Test func `can be encoded in another way when it is repeated`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let document = "mutation ($input: AddChoreInput!) { addChore(input: $input) { chore { id } } }"
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")"), ("Idempotency-Key", "one")]
      let forms = [
        #"{"input":{"name":"Sweep","priority":3}}"#, #"{ "input" : { "priority" : 3, "name" : "Sw\u0065ep" } }"#,
      ]
      var answers: Set<String> = []
      for variables in forms {
        let body = #"{"query":"\#(document)","variables":\#(variables)}"#
        answers.insert(try await server.http.post(body, headers: headers).text)
      }
      #expect(answers.count == 1)
      let chores = try await ada.parent.ask("{ family { chores(first: 5) { nodes { name } } } }")
      #expect(chores["data.family.chores.nodes"] == [["name": "Sweep"]])
    }
  }

  @Test func `with a file takes effect once, and the file is a part of the request`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let document = "mutation ($input: AddItemInput!) { addItem(input: $input) { item { id photo { url } } } }"
      let variables: Value = ["input": ["name": "Tent", "photo": nil]]
      let key = ("Idempotency-Key", "one")
      let photo = ["photo": SamplePicture.jpeg()]
      let first = try await ada.parent.postFiles(document, variables, photo, headers: [key])
      #expect(first.json["data.addItem.item.photo.url"].string != nil, "\(first.text)")
      let again = try await ada.parent.another.postFiles(document, variables, photo, headers: [key])
      #expect(again.status == 200 && again.body == first.body)
      let other = ["photo": SamplePicture.jpeg(width: 33)]
      let changed = try await ada.parent.postFiles(document, variables, other, headers: [key])
      #expect(changed.codes == ["IDEMPOTENCY_KEY_REUSED"], "\(changed.text)")
      #expect(try await count(ada.parent) == 1)
      #expect(try await ada.parent.postFiles(document, variables, other).json["data.addItem.item.id"].string != nil)
      #expect(try await count(ada.parent) == 2)
    }
  }

  @Test(arguments: ["", "a b", "ä", "a\u{7F}", String(repeating: "k", count: 256)])
  func `has a key of 1 to 255 visible characters`(key: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let answer = try await send(ada.parent, key, inHeader: false)
      #expect(answer.status == 422 && answer.codes == ["BAD_REQUEST"], "\(answer.text)")
      // A header cannot have a DEL at all.
      #expect(try await send(ada.parent, "\"\(key)\"").status == (key == "a\u{7F}" ? 400 : 422))
      #expect(try await count(ada.parent) == 0)
      let longest = String(repeating: "k", count: 255)
      #expect(try await send(ada.parent, longest).status == 200)
    }
  }

  @Test func `is rejected as long as the first is executed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      // Whichever comes first waits for its write.
      let isRejected = Gate()
      let requests = try await server.holdingWrites {
        let requests = [ada.parent, ada.parent.another].map { client in
          Task {
            defer { isRejected.open() }
            return try await send(client, "one")
          }
        }
        await isRejected.pass()
        return requests
      }
      var answers: [HTTPAnswer] = []
      for request in requests { answers.append(try await request.value) }
      let rejected = answers.filter { $0.json["errors"] != nil }
      #expect(rejected.map { $0.json["errors.0.extensions.code"] } == ["IDEMPOTENT_REQUEST_RUNNING"])
      #expect(rejected.map { $0.json["errors.0.extensions.retryAfter"] } == [1])
      let answer = try #require(answers.first { $0.json["errors"] == nil })
      #expect(answer.json["data.addItem.item.name"] == "Tent")
      #expect(try await send(ada.parent, "one").body == answer.body)
      #expect(try await count(ada.parent) == 1)
    }
  }

  @Test func `goes on where the server stopped`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let first = try await send(ada.parent, "one", Self.addTwo, [:])
      // Between the last commit and the response.
      try await forget("step = 0", on: server)
      #expect(try await send(ada.parent, "one", Self.addTwo, [:]).body == first.body)
      #expect(try await count(ada.parent) == 2)
      // Between the two root fields: the second is executed again.
      try await forget("step = 0 OR step >= 2000", on: server)
      #expect(try await send(ada.parent, "one", Self.addTwo, [:]).body == first.body)
      #expect(try await count(ada.parent) == 3)
    }
  }

  @Test func `a username is not taken by the same request`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let document = """
        mutation { addChild(input: {name: "Mia", username: "mia", birth: {age: 8}}) {
          child { username } userErrors { code } } }
        """
      let first = try await send(ada.parent, "one", document, [:])
      #expect(first.json["data.addChild.child.username"] == "mia")
      try await forget("step = 0", on: server)
      #expect(try await send(ada.parent, "one", document, [:]).body == first.body)
    }
  }

  @Test func `says so if its response cannot be made again`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await send(ada.parent, "one")
      try await forget("step = 0", on: server)
      try await server.services.database.write { transaction in
        try transaction.reader.statement(WrittenOnce.sql("UPDATE idempotent_write SET outcome = NULL")).run()
      }
      #expect(try await send(ada.parent, "one").json["errors.0.extensions.code"] == "RESPONSE_NOT_KEPT")
      #expect(try await count(ada.parent) == 1)
    }
  }

  @Test func `that changed nothing is executed again`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let add = "mutation ($name: String!) { addItem(input: {name: $name}) { item { name } userErrors { code } } }"
      let empty = try await send(ada.parent, "one", add, ["name": ""])
      #expect(empty.json["data.addItem.userErrors.0.code"] == "BLANK")
      #expect(try server.rows("SELECT count(*) FROM idempotent_write", columns: 1) == [[0]])
      #expect(try await send(ada.parent, "one", add, ["name": "Tent"]).json["data.addItem.item.name"] == "Tent")
    }
  }

  @Test func `that signs in keeps its session, and stores no token`() async throws {
    try await TestServer.run { server in
      let visitor = server.visitor
      let input: Value = ["input": Household.form("ada@example.com")]
      let first = try await send(visitor, "one", Documents.register, input).json["data.register"]
      let again = try await send(visitor, "one", Documents.register, input).json["data.register"]
      let third = try await send(visitor, "one", Documents.register, input).json["data.register"]
      #expect(first["credentials.viewer.id"].string != nil)
      #expect(again["credentials.viewer.id"] == first["credentials.viewer.id"])
      #expect(third["credentials.viewer.id"] == first["credentials.viewer.id"])
      #expect(try server.rows("SELECT count(*) FROM session", columns: 1) == [[1]])
      #expect(try server.rows("SELECT count(*) FROM idempotent_write WHERE step = 0", columns: 1) == [[0]])
      // A refresh whose response was lost.
      let refresh =
        "mutation ($token: String!) { refreshSession(refreshToken: $token) { credentials { refreshToken } } }"
      let token = third["credentials.refreshToken"]
      let renewed = try await send(visitor, "two", refresh, ["token": token])
      let repeated = try await send(visitor, "two", refresh, ["token": token]).json
      let path = "data.refreshSession.credentials.refreshToken"
      #expect(renewed.json[path].string != nil && repeated[path].string != nil)
      #expect(repeated[path] != renewed.json[path])
      // Once the client has refreshed, the earlier request gives no tokens.
      #expect(try await send(visitor, "three", refresh, ["token": repeated[path]]).json[path].string != nil)
      let late = try await send(visitor, "two", refresh, ["token": token])
      #expect(late.json["errors.0.extensions.code"] == "RESPONSE_NOT_KEPT", "\(late.text)")
    }
  }

  @Test func `can come over a WebSocket and in a list`() async throws {
    try await TestServer.run(configure: { $0.batchSize = 2 }) { server in
      let ada = try await Household(on: server)
      let first = try await send(ada.parent, "one")
      let socket = try await LiveSocket.open(server.port)
      try await socket.initialize(ada.parent.token)
      let rest = #","variables":{"name":"Tent"},"extensions":{"idempotencyKey":"one"}"#
      try await socket.subscribe("1", Self.add, rest)
      #expect(try await socket.receive() == next("1", first.text))
      let request = #"{"query":"\#(Self.add)"\#(rest)}"#
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      let list = try await server.http.post("[\(request),\(request)]", headers: headers)
      #expect(list.text == "[\(first.text),\(first.text)]")
      #expect(try await count(ada.parent) == 1)
      let ambiguous = try await server.http.post("[\(request)]", headers: headers + [("Idempotency-Key", "one")])
      #expect(ambiguous.status == 422)
    }
  }

  @Test func `is forgotten after a day`() async throws {
    let directory = try TemporaryDirectory()
    let rows = "SELECT count(*) FROM idempotent_write"
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      _ = try await send(ada.parent, "one")
    }
    for (later, expected) in [(Int64(86_000), Int64(2)), (86_500, 0)] {
      try await TestServer.run(in: directory, startingLater: later) { server in
        await server.clock.whenSomebodySleeps(until: server.clock.clock.now() + 3_600_000)
        let count = try server.rows(rows, columns: 1)
        #expect(count == [[expected]])
      }
    }
  }
}
