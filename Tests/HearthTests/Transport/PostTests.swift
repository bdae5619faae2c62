import Testing

@testable import Hearth

@Suite("POST /graphql")
struct PostTests {
  static let json = "application/json; charset=utf-8"
  static let response = "application/graphql-response+json; charset=utf-8"

  struct Case: Sendable, CustomTestStringConvertible {
    let body: String
    let code: String
    /// A text that the message must contain.
    let naming: String
    var testDescription: String { String(body.prefix(60)) }

    init(_ body: String, _ naming: String, _ code: String = "BAD_REQUEST") {
      (self.body, self.naming, self.code) = (body, naming, code)
    }
  }

  /// Not a GraphQL request: 400, or 422 in the new media type if the text is JSON.
  static let malformed = [
    Case("", "JSON"), Case("{", "JSON"), Case("{]", "JSON"), Case("nonsense", "JSON"), Case("{\"query\":}", "JSON"),
    Case(#"{"query":"{__typename}"} x"#, "JSON"), Case(#"{"query":"{__typename}",}"#, "JSON"),
    Case(#"{"query":"\ud800"}"#, "JSON"), Case("{\"query\":\"{\n__typename}\"}", "JSON"),
    Case(String(repeating: "[", count: 50_000), "JSON"),
    Case(
      #"{"query":"{__typename}","variables":"# + String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        + "}",
      "JSON"
    ),
    Case("[]", "array"), Case("null", "null"), Case("\"{__typename}\"", "string"), Case("1", "number"),
    Case(#"[{"query":"{__typename}"}]"#, "array"),
    Case("{}", "query"), Case(#"{"query":null}"#, "query"), Case(#"{"QUERY":"{__typename}"}"#, "query"),
    Case(#"{"query":1}"#, "`query` must be a string, not a number"),
    Case(#"{"query":["{__typename}"]}"#, "`query` must be a string, not an array"),
    Case(#"{"query":{}}"#, "`query` must be a string, not an object"),
    Case(#"{"query":"{__typename}","variables":"{}"}"#, "`variables` must be an object, not a string"),
    Case(#"{"query":"{__typename}","variables":[]}"#, "`variables` must be an object, not an array"),
    Case(#"{"query":"{__typename}","variables":0}"#, "`variables` must be an object, not a number"),
    Case(#"{"query":"{__typename}","operationName":1}"#, "`operationName` must be a string, not a number"),
    Case(#"{"query":"{__typename}","operationName":{}}"#, "`operationName` must be a string, not an object"),
    Case(#"{"query":"{__typename}","extensions":[]}"#, "`extensions` must be an object, not an array"),
    Case(#"{"query":"{__typename}","extensions":"x"}"#, "`extensions` must be an object, not a string"),
    Case(#"{"query":"{__typename}","query":"{__typename}"}"#, "`query` is given twice"),
    Case(#"{"query":"{__typename}","qu\u0065ry":"{__typename}"}"#, "`query` is given twice"),
    Case(#"{"query":"{__typename}","variables":{},"variables":{}}"#, "`variables` is given twice"),
    Case(#"{"query":"{__typename}","operationName":null,"operationName":"x"}"#, "`operationName` is given twice"),
    Case(#"{"query":"{__typename}","extensions":{},"extensions":{}}"#, "`extensions` is given twice"),
    Case(#"{"query":"query($a:ID!){node(id:$a){id}}","variables":{"a":1,"a":2}}"#, "`a` is given twice"),
    Case(
      #"{"query":"mutation($a:CreateGroupInput!){createGroup(input:$a){userErrors{code}}}","variables":{"a":{"name":"A","name":"B"}}}"#,
      "`name` is given twice"
    ),
  ]

  @Test func `malformed requests are a 400, or a 422 in the new media type if they are JSON`() async throws {
    try await TestServer.run { server in
      let http = server.http
      for item in Self.malformed {
        for accept in ["application/json", "application/graphql-response+json"] {
          let answer = try await http.post(item.body, accept: accept)
          let isJSON = item.naming != "JSON"
          let status = isJSON && accept == "application/graphql-response+json" ? 422 : 400
          #expect(answer.status == status, "\(item.testDescription)")
          #expect(answer.headers["content-type"] == accept + "; charset=utf-8")
          #expect(answer.codes == [item.code], "\(item.testDescription): \(answer.text)")
          #expect(
            answer.json["errors.0.message"].string?.contains(item.naming) == true,
            "\(item.testDescription): \(answer.text)"
          )
          #expect(answer.json["data"] == .null && !answer.text.contains("\"data\""))
        }
      }
    }
  }

  @Test func `bytes that are not UTF-8 are not JSON`() async throws {
    try await TestServer.run { server in
      let body = Array(#"{"query":"{__typename}","operationName":""#.utf8) + [0xFF, 0xC0] + Array("\"}".utf8)
      let headers = [("Content-Type", "application/json")]
      let answer = try await server.http.send("POST", "/graphql", headers: headers, body: body)
      #expect(answer.status == 400)
      #expect(answer.codes == ["BAD_REQUEST"])
    }
  }

  /// GraphQL that cannot be executed: what its status is depends on the media type.
  static let rejected = [
    Case(#"{"query":""}"#, "", "GRAPHQL_PARSE_FAILED"),
    Case(#"{"query":"{"}"#, "Expected Name", "GRAPHQL_PARSE_FAILED"),
    Case(#"{"query":"{ __typename } query"}"#, "", "GRAPHQL_PARSE_FAILED"),
    Case(#"{"query":"query A { __typename } query B { __typename }"}"#, "operation", "OPERATION_RESOLUTION_FAILURE"),
    Case(#"{"query":"{ __typename }","operationName":"A"}"#, "A", "OPERATION_RESOLUTION_FAILURE"),
    Case(
      #"{"query":"query A { __typename } query B { __typename }","operationName":""}"#,
      "Must provide operation name",
      "OPERATION_RESOLUTION_FAILURE"
    ),
    Case(#"{"query":"fragment F on Query { __typename }"}"#, "never used", "GRAPHQL_VALIDATION_FAILED"),
    Case(#"{"query":"query ($id: ID!) { node(id: $id) { id } }"}"#, "$id", "BAD_USER_INPUT"),
    Case(#"{"query":"query ($id: ID!) { node(id: $id) { id } }","variables":{"id":null}}"#, "$id", "BAD_USER_INPUT"),
    Case(#"{"query":"query ($id: ID!) { node(id: $id) { id } }","variables":{"id":true}}"#, "$id", "BAD_USER_INPUT"),
  ]

  @Test func `request errors are a 400 or 422 in the new media type and a 200 in the old`() async throws {
    try await TestServer.run { server in
      let http = server.http
      for item in Self.rejected {
        let new = item.code == "GRAPHQL_PARSE_FAILED" ? 400 : 422
        for (accept, status) in [("application/json", 200), ("application/graphql-response+json", new)] {
          let answer = try await http.post(item.body, accept: accept)
          #expect(answer.status == status, "\(item.testDescription)")
          #expect(answer.headers["content-type"] == accept + "; charset=utf-8")
          #expect(answer.codes == [item.code], "\(item.testDescription): \(answer.text)")
          if !item.naming.isEmpty {
            #expect(answer.json["errors.0.message"].string?.contains(item.naming) == true, "\(answer.text)")
          }
          #expect(!answer.text.contains("\"data\""))
        }
      }
    }
  }

  @Test func `data with field errors is a 294 in the new media type and a 200 in the old`() async throws {
    try await TestServer.run { server in
      for (accept, status) in [("application/json", 200), ("application/graphql-response+json", 294)] {
        let answer = try await server.http.post(#"{"query":"{ family { id } }"}"#, accept: accept)
        #expect(answer.status == status)
        #expect(answer.codes == ["UNAUTHENTICATED"])
        #expect(answer.json["data"] == ["family": nil])
        #expect(answer.headers["cache-control"] == "private, no-store")
      }
    }
  }

  private static let preferences: [(accept: String?, expected: String)] = [
    (nil, response), ("*/*", response), ("application/*", response), ("application/json", json),
    ("application/graphql-response+json", response), ("text/html, */*;q=0.1", response),
    ("application/json, application/graphql-response+json;q=0.9", json),
    ("application/graphql-response+json, application/json;q=0.9", response),
    ("application/json;q=0.5, application/graphql-response+json;q=0.9", response),
    ("application/graphql-response+json; charset=utf-8, application/json; charset=utf-8", response),
    ("APPLICATION/JSON", json), ("application/json; charset=utf-8", json),
    ("application/graphql-response+json;q=0, */*", json),
  ]

  @Test func `the response has the media type that the client prefers`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.preferences) { accept, expected in
        let answer = try await server.http.post(#"{"query":"{__typename}"}"#, accept: accept)
        #expect(answer.status == 200, "\(accept ?? "none")")
        #expect(answer.headers["content-type"] == expected, "\(accept ?? "none")")
        #expect(answer.text == #"{"data":{"__typename":"Query"}}"#, "\(accept ?? "none")")
      }
    }
  }

  @Test func `a client that takes neither gets 406`() async throws {
    try await TestServer.run { server in
      await checkEach(["text/html", "text/plain, image/*", "application/json;q=0", "application/xml"]) { accept in
        let answer = try await server.http.post(#"{"query":"{__typename}"}"#, accept: accept)
        #expect(answer.status == 406, "\(accept)")
        #expect(answer.codes == ["NOT_ACCEPTABLE"], "\(accept)")
        #expect(answer.headers["content-type"] == Self.json, "\(accept)")
      }
    }
  }

  @Test func `a body is application/json in UTF-8`() async throws {
    try await TestServer.run { server in
      let body = #"{"query":"{__typename}"}"#
      for good in [
        "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
        "application/json; charset=\"utf-8\"", "Application/JSON", "application/json; profile=x",
      ] {
        #expect(try await server.http.post(body, contentType: good).status == 200, "\(good)")
      }
      for bad in [
        nil, "", "text/plain", "application/graphql", "application/x-www-form-urlencoded", "multipart/mixed",
        "application/json; charset=latin1", "application/json; charset=utf-16", "json", "application/jsonp", "*/*",
      ] as [String?] {
        let answer = try await server.http.post(body, contentType: bad)
        #expect(answer.status == 415, "\(bad ?? "none")")
        #expect(answer.codes == ["UNSUPPORTED_MEDIA_TYPE"])
      }
    }
  }

  @Test func `unknown members and nulls are let be, and the named operation runs`() async throws {
    try await TestServer.run { server in
      for body in [
        #"{"query":"{__typename}","variables":null,"operationName":null,"extensions":null}"#,
        #"{"id":7,"query":"query A{__typename} query B{family{id}}","operationName":"A","extensions":{"x":[1]}}"#,
        #"{"\u0071uery":"{__type\u006eame}","variables":{"more":1}}"#,
        "\t{ \"query\" :\r\n\"# a comment\\n{__typename}\" } ",
      ] {
        let answer = try await server.http.post(body)
        #expect(answer.text == #"{"data":{"__typename":"Query"}}"#)
      }
    }
  }
}
