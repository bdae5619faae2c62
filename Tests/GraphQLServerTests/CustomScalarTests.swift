import GraphQLEngine
import Testing

@Suite("Custom scalars of any JSON value")
struct CustomScalarTests {
  private struct Money: Decodable, Equatable, Sendable {
    let cents: Int64
    init?(cents: Int64) {
      guard cents >= 0 else { return nil }
      self.cents = cents
    }
    init(from decoder: any Decoder) throws { throw CancellationError() }
  }

  private let executor: GraphQLExecutor<Void>

  init() throws {
    var schema = GraphQLSchema<Void>(
      """
      scalar JSON scalar Money
      type Query {
        echo(json: JSON): JSON map: JSON deep: JSON text: String double(of: Money!): Money sum(of: [Money!]): Money!
        list(json: JSON): [JSON!]! number: Float
      }
      """
    )
    schema.scalar("Money", Money.self) { value in
      guard case .int(let cents) = value else { return nil }
      return Money(cents: cents)
    } writeValue: {
      .int($0.cents)
    }
    schema.query("echo") { request -> GraphQLValue in try request.arguments["json"] }
    schema.query("map") { _ in ["b": [1, 2], "a": []] }
    schema.query("deep") { _ in ["a": ["b": Money(cents: 5)]] }
    schema.query("text") { _ in GraphQLValue.object(["a": 1]) }
    schema.query("number") { _ in GraphQLValue.double(.infinity) }
    schema.query("double") { request in
      let money: Money = try request.arguments["of"]
      return Money(cents: money.cents * 2)
    }
    schema.query("sum") { request in
      let all: [Money]? = try request.arguments["of"]
      return Money(cents: (all ?? []).reduce(0) { $0 + $1.cents })
    }
    schema.query("list") { request -> [GraphQLValue] in [try request.arguments["json"], "x"] }
    executor = try GraphQLExecutor(schema, onError: { _, _ in })
  }

  @Test(arguments: [
    (#"echo(json: {b: [true, 1.5, "x", A], a: {}})"#, #"{"echo":{"a":{},"b":[true,1.5,"x","A"]}}"#),
    ("echo", #"{"echo":null}"#), ("echo(json: 9007199254740993)", #"{"echo":9007199254740993}"#),
    ("map", #"{"map":{"a":[],"b":[1,2]}}"#), ("deep", #"{"deep":{"a":{"b":5}}}"#),
    ("list(json: {a: null})", #"{"list":[{"a":null},"x"]}"#), ("number", #"{"number":null}"#),
    ("double(of: 4)", #"{"double":8}"#), ("sum(of: [1, 2])", #"{"sum":3}"#), ("sum", #"{"sum":0}"#),
  ])
  func `have JSON values in arguments and results`(field: String, data: String) async {
    #expect(await executor.execute("{ \(field) }", context: ()) == #"{"data":\#(data)}"#)
  }

  @Test(arguments: ["-1", #""4""#, "4.5", "{}"])
  func `reject what cannot be read`(value: String) async {
    let response = await executor.execute("{ double(of: \(value)) }", context: ())
    #expect(response.contains("Money cannot represent") && response.contains("GRAPHQL_VALIDATION_FAILED"))
  }

  @Test func `an object is no value of a built-in scalar`() async {
    let response = await executor.execute("{ text }", context: ())
    #expect(response.contains("String cannot represent the value that was found."))
  }

  @Test func `variables are values`() async {
    let document = "query($json: JSON, $of: Money!) { echo(json: $json) double(of: $of) }"
    let json: GraphQLValue = ["\"\\": ["\u{7}", 1.5, nil, false], "a": "\("}") { x }"]
    let response = await executor.execute(document, variables: ["json": json, "of": 7], context: ())
    #expect(response == #"{"data":{"echo":{"\"\\":["\u0007",1.5,null,false],"a":"} { x }"},"double":14}}"#)
    var count = 0
    for await same in executor.responses(to: document, variables: ["json": json, "of": 7], context: ()) {
      #expect(same == response)
      count += 1
    }
    #expect(count == 1)
  }
}
