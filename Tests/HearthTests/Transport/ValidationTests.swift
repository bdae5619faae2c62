import GraphQL
import Testing

@testable import Hearth

/// For editors: the faults of a request that is in the making.
@Suite("POST /graphql/validate")
struct ValidationTests {
  private func validate(_ body: String, at server: TestServer, headers: [(String, String)] = []) async throws
    -> HTTPAnswer
  {
    try await server.http.send(
      "POST",
      "/graphql/validate",
      headers: [("Content-Type", "application/json")] + headers,
      body: Array(body.utf8)
    )
  }

  @Test func `a request that would be executed has no errors`() async throws {
    try await TestServer.run { server in
      let answer = try await validate(#"{"query":"{ family { name } }"}"#, at: server)
      #expect(answer.status == 200)
      #expect(answer.text == #"{"errors":[]}"#)
      #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
      #expect(answer.headers["cache-control"] == "private, no-store")
    }
  }

  @Test func `excessive cost is reported, with the variables that cause it`() async throws {
    try await TestServer.run(configure: { $0.limits.cost = 100 }) { server in
      let query = "query ($n: Int!) { family { chores(first: $n) { nodes { id } } } }"
      let cheap = try await validate(#"{"query":"\#(query)","variables":{"n":10}}"#, at: server)
      #expect(cheap.text == #"{"errors":[]}"#)
      let dear = try await validate(#"{"query":"\#(query)","variables":{"n":100}}"#, at: server)
      #expect(dear.codes == ["COST_EXCEEDED"])
    }
  }

  @Test func `a document can be validated without its variables`() async throws {
    try await TestServer.run { server in
      let document = "query($n: Int!){ family { chores(first: $n) { totalCount } } }"
      #expect(try await validate(#"{"query":"\#(document)"}"#, at: server).json["errors"] == [])
      let wrong = try await validate(#"{"query":"query($n: Int!){ family { chores(first: $n) } }"}"#, at: server)
      #expect(wrong.codes == ["GRAPHQL_VALIDATION_FAILED"])
    }
  }

  @Test(arguments: [
    (#"{"query":"{ family { nam } }"}"#, "Cannot query field \"nam\" on type \"Family\". Did you mean \"name\"?"),
    (#"{"query":"{ family {"}"#, "Syntax Error: Expected Name, found <EOF>."),
    (
      #"{"query":"query A{__typename} query B{__typename}"}"#,
      "Must provide operation name if query contains multiple operations."
    ),
    (
      #"{"query":"query($n: Int!){ family { chores(first: $n) { totalCount } } }","variables":{}}"#,
      "Variable \"$n\" of required type \"Int!\" was not provided."
    ),
  ])
  func `errors are the same as when executing`(body: String, message: String) async throws {
    try await TestServer.run { server in
      let answer = try await validate(body, at: server)
      #expect(answer.status == 200)
      #expect(answer.json["errors.0.message"].string == message)
      #expect(try await server.http.post(body).json["errors"] == answer.json["errors"])
    }
  }

  @Test func `nothing is executed`() async throws {
    try await TestServer.run { server in
      let family = try await Household(on: server)
      let body = #"{"query":"mutation{addChild(input:{name:\"Juno\",birth:{age:8}}){child{id}}}"}"#
      let token = try #require(family.parent.token)
      let answer = try await validate(body, at: server, headers: [("Authorization", "Bearer \(token)")])
      #expect(answer.text == #"{"errors":[]}"#)
      let children = try await family.parent.ask("{ family { children { name } } }")
      #expect(children["data.family.children"] == [])
    }
  }

  @Test func `only JSON by POST is taken`() async throws {
    try await TestServer.run { server in
      let get = try await server.http.get("/graphql/validate?query=%7B__typename%7D")
      #expect(get.status == 405)
      #expect(get.headers["allow"] == "POST")
      let text = try await server.http.send(
        "POST",
        "/graphql/validate",
        headers: [("Content-Type", "text/plain")],
        body: Array("{}".utf8)
      )
      #expect(text.status == 415)
      #expect(try await validate("[]", at: server).status == 422)
    }
  }
}
