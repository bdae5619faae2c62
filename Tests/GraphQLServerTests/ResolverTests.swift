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

  @Test func `a key without a value is null, or an empty list, also of leaves`() async throws {
    struct Thing { let id: Int }
    var schema = GraphQLSchema<Void>(
      """
      type Query { things: [Thing!]! }
      type Thing { name: String names: [String!]! grid: [[Int]] things: [Thing!]! must: String! }
      """
    )
    schema.query("things") { _ in [Thing(id: 1), Thing(id: 2)] }
    schema.object("Thing", Thing.self) { thing in
      thing.field("name", by: \.id) { _, _ in [1: "one"] }
      thing.field("names", by: \.id) { _, _ in [1: ["one"]] }
      thing.field("grid", by: \.id) { _, _ in [1: [[1]], 2: nil] as [Int: [[Int]]?] }
      thing.field("things", by: \.id) { _, _ in [1: [Thing(id: 3)]] }
      thing.field("must", by: \.id) { _, _ in [1: "one", 3: "three"] }
    }
    let executor = try GraphQLExecutor(schema)
    let response = await executor.execute("{ things { name names grid things { names grid } } }", context: ())
    #expect(
      response
        == #"{"data":{"things":[{"name":"one","names":["one"],"grid":[[1]],"things":[{"names":[],"grid":[]}]},{"name":null,"names":[],"grid":null,"things":[]}]}}"#
    )
    let missing = await executor.execute("{ things { must } }", context: ())
    #expect(missing.contains("Cannot return null for non-nullable field Thing.must."))
    #expect(missing.contains(#""path":["things",1,"must"]"#))
  }

  @Test func `single keys and objects of a batch can fail`() async throws {
    var schema = GraphQLSchema<Void>(
      "type Query { numbers: [Number!]! } type Number { half: Int double: Int square: Thing } type Thing { value: Int }"
    )
    struct Odd: Error {}
    @Sendable func half(_ number: Int) -> Result<Int, any Error> {
      number.isMultiple(of: 2) ? .success(number / 2) : .failure(GraphQLError("\(number) is odd.", code: "ODD"))
    }
    schema.query("numbers") { _ in [1, 2, 3] }
    schema.object("Number", Int.self) { number in
      number.field("half", by: \.self) { numbers, _ in
        Dictionary(uniqueKeysWithValues: numbers.filter { $0 < 3 }.map { ($0, half($0)) })
      }
      number.batchedField("double") { numbers, _ in numbers.map { half($0).map { $0 * 4 } } }
      number.field("square", by: \.self) { numbers, _ -> [Int: Result<Int, any Error>] in
        Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 == 2 ? .failure(Odd()) : .success($0 * $0)) })
      }
    }
    schema.object("Thing", Int.self) { $0.field("value") { value, _ in value } }
    let reports = Mutex<[String]>([])
    let executor = try GraphQLExecutor(schema) { _, field in reports.withLock { $0.append(field) } }
    let halves = await executor.execute("{ numbers { half double } }", context: ())
    #expect(
      halves.contains(
        #""data":{"numbers":[{"half":null,"double":null},{"half":1,"double":4},{"half":null,"double":null}]}"#
      ),
      "\(halves)"
    )
    #expect(
      halves.contains(#"{"message":"1 is odd.","locations":[{"line":1,"column":13}],"path":["numbers",0,"half"]"#)
    )
    #expect(!halves.contains(#"["numbers",2,"half"]"#) && halves.contains(#"["numbers",2,"double"]"#))
    let squares = await executor.execute("{ numbers { square { value } } }", context: ())
    #expect(
      squares.contains(
        #""data":{"numbers":[{"square":{"value":1}},{"square":null},{"square":{"value":9}}]}"#
      ),
      "\(squares)"
    )
    #expect(reports.withLock { $0 } == ["Number.square"])
  }

  @Test func `object types of an interface have different Swift types, and others may share one`() async throws {
    let sdl = """
      type Query { pet: Pet house: House den: Den } union Pet = Cat | Dog type Cat { id: Int } type Dog { id: Int }
      type House { id: Int } type Den { id: Int }
      """
    func schema(dog: any Sendable.Type) -> GraphQLSchema<Void> {
      var schema = GraphQLSchema<Void>(sdl)
      schema.query("pet") { _ in "Tom" }
      schema.query("house") { _ in 1 }
      schema.query("den") { _ in 2 }
      schema.object("Cat", String.self) { $0.field("id") { _, _ in 3 } }
      if dog == String.self {
        schema.object("Dog", String.self) { $0.field("id") { _, _ in 4 } }
      } else {
        schema.object("Dog", Double.self) { $0.field("id") { _, _ in 4 } }
      }
      schema.object("House", Int.self) { $0.field("id") { id, _ in id } }
      schema.object("Den", Int.self) { $0.field("id") { id, _ in id } }
      return schema
    }
    let executor = try GraphQLExecutor(schema(dog: Double.self))
    let response = await executor.execute("{ pet { __typename } house { id } den { id } }", context: ())
    #expect(response == #"{"data":{"pet":{"__typename":"Cat"},"house":{"id":1},"den":{"id":2}}}"#)
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema(dog: String.self)) }
    #expect(
      error?.description == """
        String is the Swift type of Cat and Dog, which are both object types of Pet: give them different Swift types, \
        or name the type of each value by abstractType(_:_:typeName:).
        """
    )
  }

  @Test func `integers of all sizes are numbers, and collections are lists`() async throws {
    var schema = GraphQLSchema<Void>(
      """
      scalar JSON
      type Query {
        tiny: Int! short: [Int!]! word: Int! long: Float! id: ID! text: String! json: JSON
        reversed: [Int!]! dense: [Int!]! keys: [Int!]! values: [String!]!
      }
      """
    )
    let reversed: ReversedCollection<[Int]> = [1, 2].reversed()
    schema.query("tiny") { _ in Int8(-128) }
    schema.query("short") { _ in [UInt16.max, 0] }
    schema.query("word") { _ in UInt32(5) }
    schema.query("long") { _ in UInt(1) << 40 }
    schema.query("id") { _ in UInt64.max }
    schema.query("text") { _ in Int16(7) }
    schema.query("json") { _ in [UInt8(1), 2] }
    schema.query("reversed") { _ in reversed }
    schema.query("dense") { _ in ContiguousArray([1, 2]) }
    schema.query("keys") { _ in [5: "five"].keys }
    schema.query("values") { _ in [5: "five"].values }
    let response = try await GraphQLExecutor(schema).execute(
      "{ tiny short word long id text json reversed dense keys values }",
      context: ()
    )
    #expect(
      response
        == #"{"data":{"tiny":-128,"short":[65535,0],"word":5,"long":1099511627776,"id":"18446744073709551615","#
        + #""text":"7","json":[1,2],"reversed":[2,1],"dense":[1,2],"keys":[5],"values":["five"]}}"#
    )
  }

  @Test(arguments: [UInt64(Int32.max) + 1, UInt64.max])
  func `an integer that Int cannot represent is a field error`(number: UInt64) async throws {
    var schema = GraphQLSchema<Void>("type Query { number: Int }")
    schema.query("number") { _ in number }
    let response = try await GraphQLExecutor(schema).execute("{ number }", context: ())
    #expect(response.contains("Int cannot represent the value that was found."))
    #expect(response.contains(#""data":{"number":null}"#))
  }

  /// Two parties that wait for each other.
  private actor Meeting {
    private var arrived = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func arrive() async {
      arrived += 1
      guard arrived == 2 else { return await withCheckedContinuation { waiting.append($0) } }
      for other in waiting { other.resume() }
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["{ leaf object { id } }", "{ object { id } other { id } }", "{ leaf a: leaf2 }"]
  )
  func `fields of a level that wait are resolved at the same time`(document: String) async throws {
    struct Thing { let id = 1 }
    var schema = GraphQLSchema<Meeting>(
      "type Query { leaf: Int leaf2: Int object: Thing other: [Thing] } type Thing { id: Int }"
    )
    for field in ["leaf", "leaf2"] {
      schema.query(field) { request in
        await request.context.arrive()
        return 1
      }
    }
    schema.query("object") { request in
      await request.context.arrive()
      return Thing()
    }
    schema.query("other") { request in
      await request.context.arrive()
      return [Thing()]
    }
    schema.object("Thing", Thing.self) { $0.field("id", \.id) }
    let response = try await GraphQLExecutor(schema).execute(document, context: Meeting())
    #expect(!response.contains("errors") && response.hasPrefix(#"{"data":{"#))
  }

  @Test func `loaders of different fields of a level run at the same time`() async throws {
    struct Thing { let id: Int }
    var schema = GraphQLSchema<Meeting>("type Query { things: [Thing] } type Thing { id: Int left: Int right: Thing }")
    schema.query("things") { _ in [Thing(id: 1), Thing(id: 2)] }
    schema.object("Thing", Thing.self) { thing in
      thing.field("id", \.id)
      thing.batchedField("left") { things, request in
        await request.context.arrive()
        return things.map(\.id)
      }
      thing.field("right", by: \.id) { ids, request in
        await request.context.arrive()
        return [2: Thing(id: 3)]
      }
    }
    let response = try await GraphQLExecutor(schema).execute("{ things { left right { id } } }", context: Meeting())
    #expect(response == #"{"data":{"things":[{"left":1,"right":null},{"left":2,"right":{"id":3}}]}}"#)
  }

  private struct Day: Decodable, Equatable, Sendable {
    let year: Int, month: Int
    init?(_ text: String) {
      let parts = text.split(separator: "-").compactMap { Int($0) }
      guard parts.count == 2 else { return nil }
      (year, month) = (parts[0], parts[1])
    }
    var text: String { "\(year)-\(month)" }
    init(from decoder: any Decoder) throws { throw CancellationError() }
  }

  @Test func `a Swift type represents a custom scalar`() async throws {
    struct Span: Decodable { let from: Day, to: Day? }
    var schema = GraphQLSchema<Void>(
      """
      scalar Day
      input Span { from: Day! to: Day }
      type Query { next(day: Day!): Day all(days: [Day!]!): [Day!] span(span: Span!): [Day] }
      """
    )
    schema.scalar("Day", Day.self) {
      Day($0)
    } write: {
      $0.text
    }
    schema.query("next") { request in
      let day: Day = try request.arguments["day"]
      return Day("\(day.year)-\(day.month + 1)")
    }
    schema.query("all") { request -> [Day] in try request.arguments["days"] }
    schema.query("span") { request -> [Day?] in
      let span: Span = try request.arguments["span"]
      return [span.from, span.to]
    }
    let executor = try GraphQLExecutor(schema)
    let response = await executor.execute(
      #"query($d: Day!) { next(day: $d) all(days: ["2026-1", $d]) span(span: {from: $d}) }"#,
      variables: #"{"d": "2026-11"}"#,
      context: ()
    )
    #expect(response == #"{"data":{"next":"2026-12","all":["2026-1","2026-11"],"span":["2026-11",null]}}"#)
    let rejected = await executor.execute("{ next(day: 5) }", context: ())
    #expect(rejected.contains("Day cannot represent 5") && rejected.contains("GRAPHQL_VALIDATION_FAILED"))
  }

  @Test func `a GraphQLError reaches the client`() async {
    let response = await executor.execute("{ cat(id: 100) { id } }", context: Zoo.Context())
    #expect(response.contains(#""message":"There is no such cat.""#))
    #expect(response.contains(#""extensions":{"code":"NOT_FOUND","retryAfter":3}"#))
    #expect(reported.fields.withLock { $0 } == [])
  }

  @Test func `a GraphQLError has the extensions that it is given`() async throws {
    var schema = GraphQLSchema<Void>("type Query { shoe: Int }")
    schema.query("shoe") { _ -> Int in
      throw GraphQLError(
        "Sold out.",
        code: "SOLD_OUT",
        extensions: [
          "sizes": ["S", 41.5, nil], "left": 0, "isFinal": true, "rest": .double(.infinity), "code": "LATE",
          "\"": ["b": "\u{7}\\", "a": [:]],
        ]
      )
    }
    let response = try await GraphQLExecutor(schema).execute("{ shoe }", context: ())
    let extensions =
      #"{"code":"SOLD_OUT","\"":{"a":{},"b":"\u0007\\"},"isFinal":true,"left":0,"rest":null,"sizes":["S",41.5,null]}"#
    #expect(response.contains(#""extensions":\#(extensions)}"#), "\(response)")
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

  @Test func `a response can be long`() async throws {
    var schema = GraphQLSchema<Void>("type Query { text: String broken: Int }")
    schema.query("text") { _ in String(repeating: "x", count: 1_000_000) }
    schema.query("broken") { _ -> Int in throw GraphQLError("No.", code: "NO") }
    let executor = try GraphQLExecutor(schema)
    #expect(await executor.execute("{ text }", context: ()).utf8.count == 1_000_020)
    #expect(await executor.execute("{ text broken }", context: ()).hasPrefix(#"{"data":{"text":"xxx"#))
  }

  @Test func `a request that cannot be executed has errors only`() async {
    #expect(await executor.execute("{ dogs }", context: Zoo.Context()).contains("GRAPHQL_VALIDATION_FAILED"))
    #expect(await executor.execute("{ grid }", variables: "[]", context: Zoo.Context()).contains("BAD_USER_INPUT"))
    let subscription = await executor.execute("subscription { count(to: 1) }", context: Zoo.Context())
    #expect(subscription.contains("Subscriptions are not supported here."))
  }

  @Test func `a schema and its resolvers have to match`() throws {
    var schema = GraphQLSchema<Void>(
      """
      type Query { hello: String book: Book } type Book { title: String }
      type Subscription { added: Int removed: Int }
      """
    )
    schema.subscription("added") { _ in AsyncStream<Int> { $0.finish() } }
    schema.query("helo") { _ in "" }
    schema.query("book") { _ in 1 }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Query.hello is in the schema, but nothing resolves it.
        Query.helo is resolved, but it is not in the schema.
        Book is in the schema, but nothing resolves it.
        Subscription.removed is in the schema, but nothing resolves it.
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
