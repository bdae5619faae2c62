import GraphQLEngine
import Synchronization
import Testing

@Suite("Resolvers that return Swift values")
struct ResolverTests {
  private let executor: GraphQLExecutor<Zoo.Context>
  private let reported: Reported

  /// The errors that clients must not see.
  private final class Reported: Sendable {
    let fields = Mutex<[String]>([])
  }

  init() throws {
    let reported = Reported()
    self.reported = reported
    executor = try GraphQLExecutor(Zoo.schema) { _, field in reported.fields.withLock { $0.append(field) } }
  }

  @Test(arguments: [
    (
      "{ cat(id: 1) { id name diet shout(times: 2) slow } }",
      #"{"cat":{"id":"1","name":"Mog","diet":"MEAT","shout":"MOGMOG","slow":"Mog"}}"#
    ),
    ("{ cat(id: 50) { id } }", #"{"cat":null}"#),
    ("{ grid }", #"{"grid":[[1,2],[]]}"#),
    ("{ cats(filter: {diet: PLANTS}) { name } }", #"{"cats":[{"name":"Tom"}]}"#),
    (#"{ cats(filter: {names: ["Ivy", "Tom"], limit: 1}, reversed: true) { name } }"#, #"{"cats":[{"name":"Ivy"}]}"#),
    (
      "{ animals { __typename id ... on Fish { depth } } }",
      #"{"animals":[{"__typename":"Cat","id":"1"},{"__typename":"Fish","id":"9","depth":1.5}]}"#
    ),
    (#"mutation { rename(id: 5, name: "Kit") { id name } }"#, #"{"rename":{"id":"5","name":"Kit"}}"#),
    ("{ cats { slow } }", #"{"cats":[{"slow":"Mog"},{"slow":"Tom"},{"slow":"Ivy"},{"slow":"Stray"}]}"#),
  ])
  func `values are written by the types of the schema`(document: String, data: String) async {
    #expect(await executor.execute(document, context: Zoo.Context()) == #"{"data":\#(data)}"#)
  }

  @Test func `variables are read like literals`() async {
    let response = await executor.execute(
      "query($filter: Filter) { cats(filter: $filter) { id } }",
      variables: #"{"filter": {"names": ["Mog"], "diet": null}}"#,
      context: Zoo.Context()
    )
    #expect(response == #"{"data":{"cats":[{"id":"1"}]}}"#)
  }

  @Test func `a loader is called once for a level, with each key once`() async {
    let context = Zoo.Context()
    let response = await executor.execute("{ cats { keeper { name cats { id } } } }", context: context)
    #expect(context.calls.noted == ["keeper [7, 8]"])
    let ann = #"{"keeper":{"name":"Ann","cats":[{"id":"1"},{"id":"3"}]}}"#
    #expect(response == #"{"data":{"cats":[\#(ann),{"keeper":null},\#(ann),{"keeper":null}]}}"#)
  }

  @Test func `a batched leaf is resolved once for all objects`() async {
    let context = Zoo.Context()
    let response = await executor.execute("{ cats { hunts } }", context: context)
    #expect(context.calls.noted == ["hunts [1, 2, 3, 4]"])
    #expect(response == #"{"data":{"cats":[{"hunts":10},{"hunts":20},{"hunts":30},{"hunts":40}]}}"#)
  }

  @Test func `a GraphQLError reaches the client`() async {
    let response = await executor.execute("{ cat(id: 100) { id } }", context: Zoo.Context())
    #expect(response.contains(#""message":"There is no such cat.""#))
    #expect(response.contains(#""extensions":{"code":"NOT_FOUND","retryAfter":3}"#))
    #expect(reported.fields.withLock { $0 } == [])
  }

  @Test(arguments: [
    ("secret", "Query.secret"), ("notALeaf", "Query.notALeaf"), ("strangers { id }", "Query.strangers"),
  ])
  func `every other error is reported, and stays inside`(selection: String, field: String) async {
    let response = await executor.execute("{ \(selection) }", context: Zoo.Context())
    #expect(response.contains(#""code":"INTERNAL_SERVER_ERROR""#))
    #expect(!response.contains("Secret") && !response.contains("Unknown"))
    #expect(reported.fields.withLock { $0 } == [field])
  }

  @Test func `an ID that is not a number is a field error of the client`() async {
    let response = await executor.execute(#"{ cat(id: "x") { id } }"#, context: Zoo.Context())
    #expect(response.contains(#""message":"Argument \"id\": Expected an integer.""#))
    #expect(response.contains(#""code":"BAD_USER_INPUT""#))
  }

  @Test func `a request that cannot be executed has errors only`() async {
    #expect(await executor.execute("{ dogs }", context: Zoo.Context()).contains("GRAPHQL_VALIDATION_FAILED"))
    #expect(await executor.execute("{ grid }", variables: "[]", context: Zoo.Context()).contains("BAD_USER_INPUT"))
    let subscription = await executor.execute("subscription { count(to: 1) }", context: Zoo.Context())
    #expect(subscription.contains("Subscriptions require a server."))
  }

  @Test func `a schema and its resolvers have to match`() throws {
    var schema = GraphQLSchema<Void>("type Query { hello: String book: Book } type Book { title: String }")
    schema.query("helo") { _ in "" }
    schema.query("book") { _ in 1 }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Query.hello is in the schema, but nothing resolves it.
        Query.helo is resolved, but it is not in the schema.
        Book is in the schema, but nothing resolves it.
        """
    )
    #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(GraphQLSchema<Void>("type Query {")) }
  }

  @Test func `limits are kept`() async throws {
    var limits = GraphQLLimits()
    limits.depth = 2
    let executor = try GraphQLExecutor(Zoo.schema, limits: limits)
    let response = await executor.execute("{ cats { keeper { name } } }", context: Zoo.Context())
    #expect(response.contains(#""errors""#) && !response.contains(#""data""#))
  }
}
