import GraphQLEngine
import Testing

@Suite("Responses for another server, and for tests")
struct GraphQLResponseTests {
  private static func executor(_ introspection: Bool = true) throws -> GraphQLExecutor<Void> {
    var schema = GraphQLSchema<Void>(
      "scalar JSON type Query { echo(json: JSON): JSON fail: Int name: String! } type Subscription { a: Int }"
    )
    schema.query("echo") { request -> GraphQLValue in try request.arguments["json"] }
    schema.query("fail") { _ -> Int? in throw GraphQLError("No.", code: "NO") }
    schema.query("name") { _ in "Ada" }
    schema.subscription("a") { _ in AsyncStream<Int> { $0.finish() } }
    return try GraphQLExecutor(schema, variableBytes: 1000, allowsIntrospection: introspection)
  }

  @Test(
    arguments: [
      (#"{"query":"{ name }"}"#, 200, nil),
      (#"{"query":"{ name fail }","variables":null,"operationName":null}"#, 294, "NO"),
      (#"{"query":"{"}"#, 400, "GRAPHQL_PARSE_FAILED"), (#"{"query":"{ x }"}"#, 422, "GRAPHQL_VALIDATION_FAILED"),
      (#"{"query":"{ name } query B { name }"}"#, 422, "GRAPHQL_VALIDATION_FAILED"), ("[]", 400, "BAD_USER_INPUT"),
      ("{", 400, "BAD_USER_INPUT"), ("{}", 422, "BAD_USER_INPUT"), (#"{"query":5}"#, 422, "BAD_USER_INPUT"),
      (#"{"query":"{ name }","variables":[]}"#, 422, "BAD_USER_INPUT"),
      (#"{"query":"subscription { a }"}"#, 422, "BAD_USER_INPUT"),
    ] as [(String, Int, String?)]
  )
  func `have the status of GraphQL over HTTP`(body: String, status: Int, code: String?) async throws {
    let response = await (try Self.executor()).respond(toBody: body.utf8, context: ())
    #expect(response.status == status, "\(response.json)")
    #expect(response.errors.first.map { $0["extensions"]["code"] } == code.map { .string($0) })
  }

  @Test func `a body has the operation's name and the variables`() async throws {
    let body = #"""
      {
        "operationName": "\u0042", "variables": {"j": [1, {"a": "\u00e9"}]},
        "query": "query A { fail } query B($j: JSON) { echo(json: $j) }"
      }
      """#
    let response = await (try Self.executor()).respond(toBody: body.utf8, context: ())
    #expect(response.data["echo"] == [1, ["a": "é"]] && response.data["echo"][1]["a"] == "é")
    #expect(response.data["echo"][2]["b"] == .null && response.data["x"][-1] == .null)
    #expect(response.errors == [])
  }

  @Test(arguments: [
    (#"{"j":"\#(String(repeating: "x", count: 1000))"}"#, "The variables can have at most 1000 bytes."),
    (
      #"{"j":\#(String(repeating: "[", count: 120))\#(String(repeating: "]", count: 120))}"#,
      "The variables can have at most 100 levels of arrays and objects."
    ),
    ("[]", "The variables must be a JSON object."),
    ("{", "The variables must be a JSON object: The JSON text ends too early. (Byte 1.)"),
  ])
  func `errors of the variables state the reason`(variables: String, message: String) async throws {
    let json = await (try Self.executor()).execute(
      "query($j: JSON) { echo(json: $j) }",
      variables: variables,
      context: ()
    )
    #expect(GraphQLResponse(json: json).errors.map { $0["message"] } == [.string(message)])
  }

  @Test func `introspection can be forbidden, with suggestions`() async throws {
    for document in ["{ __schema { queryType { name } } }", "{ nam }"] {
      let allowed = await (try Self.executor()).execute(document, context: ())
      #expect(allowed.contains("Query") || allowed.contains("Did you mean"))
      let forbidden = GraphQLResponse(json: await (try Self.executor(false)).execute(document, context: ()))
      #expect(forbidden.status == 422 && !forbidden.json.contains("Did you mean"))
    }
  }
}
