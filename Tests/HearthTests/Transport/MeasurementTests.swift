import GraphQL
import TestSupport
import Testing

@testable import Hearth

/// The cost and the times of a request, for the callers of `HEARTH_REQUEST_TIMES`.
@Suite("Times of a request")
struct MeasurementTests {
  private static let dashboard = """
    query Q($n: Int!) { family { name children { name } chores(first: $n) { nodes { name } } } }
    """

  private func ask(
    _ document: String,
    _ variables: String = "{}",
    of client: Client,
    path: String = "/graphql",
    trace: String = "true"
  ) async throws -> HTTPAnswer {
    let authorization = client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
    let query = Value.string(document).text
    let body = #"{"query":\#(query),"variables":\#(variables),"extensions":{"trace":\#(trace)}}"#
    return try await client.http.send(
      "POST",
      path,
      headers: [("Content-Type", "application/json")] + authorization,
      body: Array(body.utf8)
    )
  }

  private func milliseconds(_ measured: Value) throws -> Double {
    guard case .number(let number) = measured["milliseconds"] else { throw NotMeasured() }
    return number
  }

  private struct NotMeasured: Error {}

  @Test func `has levels, statements and cost`() async throws {
    try await TestServer.run(configure: { $0.requestTimes = .signedIn }) { server in
      let family = try await Household(on: server)
      _ = try await family.addChild("Mia")
      _ = try await family.addChore("Feed the cat")
      let answer = try await ask(Self.dashboard, #"{"n":5}"#, of: family.parent)
      #expect(answer.status == 200)
      #expect(answer.json["data.family.children.0.name"] == "Mia")
      let trace = answer.json["extensions.trace"]
      let levels = trace["levels"].list
      #expect(
        levels.map { $0["fields"].strings } == [
          ["Query.family"], ["Family.children", "Family.chores"], ["ChoreConnection.nodes"],
        ]
      )
      #expect(levels.map { $0["depth"].int } == [0, 1, 2])
      #expect(levels.map { $0["objects"].int } == [1, 1, 2])
      let statements = trace["statements"].list
      #expect(statements.contains { $0["statement"].string?.contains("FROM chore") == true })
      #expect(statements.allSatisfy { ($0["count"].int ?? 0) >= 1 })
      #expect((trace["cost.fields"].int ?? 0) >= 3 && (trace["cost.objects"].int ?? 0) >= 5)
      #expect(trace["events"] == [])
      // The parts are not longer than the whole.
      let total = try milliseconds(trace)
      #expect(try levels.map(milliseconds).reduce(0, +) <= total)
      let timing = try #require(answer.headers["server-timing"])
      let form = /total;dur=[0-9.]+, statements;dur=[0-9.]+, level0;desc="Query.family";dur=[0-9.]+, level1;.*/
      #expect(timing.wholeMatch(of: form) != nil, "\(timing)")
    }
  }

  @Test func `a response without the trace is the same`() async throws {
    try await TestServer.run(configure: { $0.requestTimes = .signedIn }) { server in
      let family = try await Household(on: server)
      let failing = #"{ family { name } node(id: "none") { id } }"#
      for document in ["{ family { name } }", failing, "{ __typename }"] {
        let plain = try await ask(document, of: family.parent, trace: "false")
        let traced = try await ask(document, of: family.parent)
        #expect(plain.headers["server-timing"] == nil && plain.json["extensions"] == .null)
        #expect(traced.status == plain.status)
        #expect(traced.json["data"] == plain.json["data"] && traced.json["errors"] == plain.json["errors"])
        #expect(traced.text.hasPrefix(plain.text.dropLast()))
      }
    }
  }

  @Test func `names the events that a mutation stored, as subscribers receive them`() async throws {
    try await TestServer.run(configure: { $0.requestTimes = .signedIn }) { server in
      let family = try await Household(on: server)
      let child = try await family.addChild("Mia")
      let listener = try await Listener.open(
        server.port,
        family.parent,
        "subscription { familyChanged { __typename } }"
      ).listening()
      let answer = try await ask(
        "mutation M($input: AddChoreInput!) { addChore(input: $input) { chore { id } } }",
        #"{"input":{"name":"Feed the cat","assigneeIds":["\#(child)"]}}"#,
        of: family.parent
      )
      let events = answer.json["extensions.trace.events"].strings
      #expect(!events.isEmpty, "\(answer.text)")
      for event in events {
        let received = try await listener.next()
        #expect(received["extensions.position"].string == event)
      }
      // The next mutation has events of its own.
      let other = try await ask(
        "mutation { addItem(input: {name: \"Tent\"}) { item { id } } }",
        of: family.parent
      )
      let next = other.json["extensions.trace.events"].strings
      #expect(next.count == 1 && Set(next).isDisjoint(with: events))
      #expect(try await listener.next()["extensions.position"].string == next.first)
    }
  }

  @Test func `several notifications are marked as read by one statement`() async throws {
    try await TestServer.run(database: .sqlite, configure: { $0.requestTimes = .signedIn }) { server in
      let user = try await Household("Kloudbook User", on: server)
      for name in ["Browning Duncan", "John Smith", "Emily Smith"] {
        _ = try await Household(name, on: server).request(user)
      }
      let nodes = try await user.parent.ask(Documents.notifications)["data.viewer.notifications.nodes"]
      let ids: Value = ["ids": .array(nodes.each("id"))]
      let answer = try await ask(Documents.markRead, ids.text, of: user.parent)
      #expect(answer.json["data.markNotificationsRead.account.unreadNotificationCount"] == 0)
      let counts = answer.json["extensions.trace.statements"].list
        .filter { $0["statement"].string?.contains("UPDATE notification") == true }.map { $0["count"].int }
      #expect(counts == [1], "\(answer.text)")
    }
  }

  @Test func `only the callers of the setting receive it`() async throws {
    for readers in [nil, .nobody, .people(["9ktd4b7ss57hf"])] as [Configuration.RequestTimes?] {
      try await TestServer.run(configure: { $0.requestTimes = readers }) { server in
        let family = try await Household(on: server)
        let answer = try await ask("{ family { name } }", of: family.parent)
        #expect(answer.json["extensions"] == .null && answer.headers["server-timing"] == nil)
      }
    }
    try await TestServer.run(configure: { $0.requestTimes = .signedIn }) { server in
      let answer = try await ask("{ __typename }", of: server.visitor)
      #expect(answer.text == #"{"data":{"__typename":"Query"}}"#)
    }
  }

  @Test func `a person can be named by id`() async throws {
    let directory = try TemporaryDirectory()
    let database = TestDatabase.sqlite
    var person = ""
    var token: String?
    try await TestServer.run(in: directory, database: database) { server in
      let family = try await Household(on: server)
      (person, token) = (family.personID, family.parent.token)
    }
    let named: (inout Configuration) -> Void = { $0.requestTimes = .people([person]) }
    try await TestServer.run(in: directory, database: database, configure: named) { server in
      let answer = try await ask("{ family { name } }", of: server.visitor.with(token: token))
      #expect(answer.json["extensions.trace.levels.0.depth"] == 0)
    }
  }

  @Test func `a GET has none, and another value is an error`() async throws {
    try await TestServer.run(configure: { $0.requestTimes = .signedIn }) { server in
      let family = try await Household(on: server)
      let authorization = [("Authorization", "Bearer \(family.parent.token ?? "")")]
      let target = "/graphql?query=%7Bfamily%7Bname%7D%7D&extensions=%7B%22trace%22%3Atrue%7D"
      let answer = try await server.http.get(target, headers: authorization)
      #expect(answer.status == 200 && answer.json["extensions"] == .null)
      let wrong = try await ask("{ __typename }", of: family.parent, trace: "7")
      #expect(wrong.text.contains("`extensions.trace` must be a Boolean, not a number."))
    }
  }

  @Test func `validation states the cost with the variables`() async throws {
    try await TestServer.run(configure: { $0.limits.cost = 5_000 }) { server in
      func cost(_ count: Int) async throws -> Value {
        let answer = try await ask(
          Self.dashboard,
          #"{"n":\#(count)}"#,
          of: server.visitor,
          path: "/graphql/validate"
        )
        #expect(answer.json["errors"] == [])
        return answer.json["extensions.cost"]
      }
      let (small, large) = (try await cost(1), try await cost(50))
      #expect((small["objects"].int ?? 0) + 49 <= (large["objects"].int ?? 0), "\(small) \(large)")
      #expect(small["maximum.fields"] == 5_000 && small["maximum.objects"].int != nil)
      // Neither of a document with errors, nor where the variables are missing, nor unasked.
      let path = "/graphql/validate"
      #expect(try await ask("{ nonsense }", of: server.visitor, path: path).json["extensions"] == .null)
      #expect(try await ask(Self.dashboard, of: server.visitor, path: path).json["extensions"] == .null)
      let unasked = try await ask("{ __typename }", of: server.visitor, path: path, trace: "false")
      #expect(unasked.text == #"{"errors":[]}"#)
    }
  }
}
