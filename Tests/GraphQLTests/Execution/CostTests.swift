import Bytes
import Testing

@testable import GraphQL

/// IBM's cost directives: the maximum cost of an operation is computed before it is executed.
@Suite("Cost of operations")
struct CostTests {
  static let sdl = """
    directive @cost(weight: String!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
    type Query {
      item: Item
      items(first: Int, last: Int): [Item] @listSize(slicingArguments: ["first", "last"], assumedSize: 20, requireOneSlicingArgument: false)
      sliced(first: Int, last: Int): [Item] @listSize(slicingArguments: ["first", "last"])
      window(first: Int = 3, last: Int): [Item] @listSize(slicingArguments: ["first", "last"])
      fixed: [Item] @listSize(assumedSize: 7)
      unknown: [Item]
      page(first: Int = 10): Page @listSize(slicingArguments: ["first"], sizedFields: ["nodes", "edges"])
      dear: Item @cost(weight: "5")
      cheap: Item @cost(weight: "-1")
      words(first: Int, last: Int): [String] @listSize(slicingArguments: ["first", "last"])
      heavy: Heavy
      any: Any
      search(by: Search @cost(weight: "2"), text: String @cost(weight: "0.5")): Item
    }
    type Page { nodes: [Item] edges: [Edge] total: Int }
    type Edge { node: Item }
    type Item implements Any { id: ID! children(first: Int): [Item] @listSize(slicingArguments: ["first"]) price: Money }
    type Heavy implements Any @cost(weight: "10") { id: ID! }
    interface Any { id: ID! }
    scalar Money @cost(weight: "0.25")
    input Search { color: String @cost(weight: "3") within: Search words: [Search!] }
    """

  static func executable(listSize: Int = 1) throws -> ExecutableSchema {
    let none = FieldBinding.load(needs: []) { _, _ in }
    let leaf = FieldBinding.leaf(needs: []) { _ in .null }
    func object(_ composite: [String], _ leaves: [String] = []) -> ObjectBinding {
      ObjectBinding(
        fields: Dictionary(uniqueKeysWithValues: composite.map { ($0, none) } + leaves.map { ($0, leaf) })
      )
    }
    return try ExecutableSchema(
      try SchemaBuilder.build(sdl),
      objects: [
        "Query": object(
          [
            "item", "items", "sliced", "window", "fixed", "unknown", "page", "dear", "cheap", "heavy", "any", "search",
          ],
          ["words"]
        ),
        "Page": object(["nodes", "edges"], ["total"]), "Edge": object(["node"]),
        "Item": object(["children"], ["id", "price"]), "Heavy": object([], ["id"]),
      ],
      listSize: listSize
    )
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let document: String
    let fields: Double
    let objects: Double
    var testDescription: String { document }
    init(_ document: String, fields: Double, objects: Double) {
      (self.document, self.fields, self.objects) = (document, fields, objects)
    }
  }

  /// The root object counts too, so the object cost is at least one.
  @Test(arguments: [
    Case("{ __typename }", fields: 0, objects: 1),
    Case("{ item { id } }", fields: 1, objects: 2),
    Case("{ item { id } other: item { id } }", fields: 2, objects: 3),
    Case("{ items(first: 5) { id } }", fields: 1, objects: 6),
    Case("{ items(first: 5, last: 8) { id } }", fields: 1, objects: 9),
    Case("{ items { id } }", fields: 1, objects: 21),
    // A provided slicing argument replaces the default value of another.
    Case("{ window { id } }", fields: 1, objects: 4),
    Case("{ window(first: 8) { id } }", fields: 1, objects: 9),
    Case("{ window(last: 2) { id } }", fields: 1, objects: 3),
    Case("{ window(last: null) { id } }", fields: 1, objects: 4),
    Case("{ items(first: null) { id } }", fields: 1, objects: 21),
    Case("{ items(first: -5) { id } }", fields: 1, objects: 1),
    Case("{ fixed { id } unknown { id } }", fields: 2, objects: 9),
    Case("{ items(first: 5) { children(first: 4) { id price } } }", fields: 6, objects: 31),
    Case("{ page { nodes { id } total } }", fields: 2, objects: 12),
    Case("{ page(first: 3) { edges { node { id } } nodes { id } } }", fields: 6, objects: 11),
    Case("{ dear { id } }", fields: 5, objects: 2),
    Case("{ cheap { id } }", fields: 0, objects: 2),
    Case("{ heavy { id } }", fields: 1, objects: 11),
    Case("{ any { id ... on Item { price } } }", fields: 1, objects: 11),
    Case("{ item { price } }", fields: 1, objects: 2.25),
    Case(
      #"{ search(by: {color: "red", within: {color: "blue"}, words: [{color: "x"}]}, text: "t") { id } }"#,
      fields: 1 + 2 + 9 + 0.5,
      objects: 2
    ),
    Case("{ ...F ...F } fragment F on Query { items(first: 2) { id } }", fields: 1, objects: 3),
  ])
  func `is computed from weights and list sizes`(_ given: Case) throws {
    let executable = try Self.executable()
    let plan = try Preparation(executable).prepare(Array(given.document.utf8), operationName: nil)
      .plan(for: .none)
    #expect(
      CostAnalysis.cost(of: plan) { $0.constantArguments }
        == OperationCost(fields: given.fields, objects: given.objects)
    )
  }

  /// The first object type of the interface is the most expensive one, or the last.
  @Test(arguments: [
    Case("{ any { ... on Item { children(first: 40) { id } } } }", fields: 2, objects: 42),
    Case("{ any { ... on Item { children(first: 2) { id } } } }", fields: 2, objects: 11),
  ])
  func `an abstract type costs what its most expensive object type costs`(_ given: Case) throws {
    let executable = try Self.executable()
    let plan = try Preparation(executable).prepare(Array(given.document.utf8), operationName: nil)
      .plan(for: .none)
    #expect(
      CostAnalysis.cost(of: plan) { $0.constantArguments }
        == OperationCost(fields: given.fields, objects: given.objects)
    )
  }

  @Test(arguments: [
    Case("{ unknown { id } }", fields: 1, objects: 11),
    Case("{ fixed { id } item { id } }", fields: 2, objects: 9),
    Case("{ items(first: 5) { id } }", fields: 1, objects: 6),
    Case("{ page { nodes { id } } }", fields: 2, objects: 12),
  ])
  func `lists without a stated size have the assumed one`(_ given: Case) throws {
    let executable = try Self.executable(listSize: 10)
    let plan = try Preparation(executable).prepare(Array(given.document.utf8), operationName: nil)
      .plan(for: .none)
    #expect(
      CostAnalysis.cost(of: plan) { $0.constantArguments }
        == OperationCost(fields: given.fields, objects: given.objects)
    )
  }

  final class Context: ExecutionContext {
    func objectType(of key: Int64) -> TypeID? { nil }
    func willSuspend() {}
    func report(_ error: any Error, at field: String) {}
  }

  @Test func `an operation that costs too much is rejected before execution`() async throws {
    let executable = try Self.executable()
    var preparation = Preparation(executable)
    preparation.limits.cost = OperationCost(fields: 100, objects: 50)
    let executor = Executor(executable)
    func answer(_ document: String, _ first: Int64? = nil) async throws -> String {
      let operation = try preparation.prepare(Array(document.utf8), operationName: nil)
      let variables = VariableValues(names: ["first"], values: [first.map(InputValue.int)])
      let response = await executor.execute(operation, variables: variables, context: Context())
      return response.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      try await answer("{ items(first: 50) { id } }")
        == #"{"errors":[{"message":"The operation's object cost is 51, but at most 50 is allowed. Ask for fewer objects.","extensions":{"code":"COST_EXCEEDED"}}]}"#
    )
    let document = "query($first: Int) { items(first: $first) { id } }"
    #expect(try await answer(document, 49) == #"{"data":{"items":[]}}"#)
    #expect(try codes(await answer(document, 50)) == ["COST_EXCEEDED"])
    #expect(try await answer(document) == #"{"data":{"items":[]}}"#)
    #expect(
      try await answer("{ items(first: 0) { id } \((0..<30).map { "a\($0): dear { id }" }.joined(separator: " ")) }")
        .contains("field cost is 151")
    )
  }

  @Test func `root fields that cost too much without their selections are rejected with a lower bound of the cost`()
    throws
  {
    let executable = try IntrospectionServer(
      """
      directive @cost(weight: String!) on FIELD_DEFINITION
      type Query { dear: Item @cost(weight: "5") }
      type Item { id: ID! }
      """
    ).executable
    var limits = RequestLimits()
    limits.planning.cost = OperationCost(fields: 100, objects: 100)
    let operation = try Preparation(executable, limits: limits)
      .prepare(
        Array("{ \((0..<30).map { "a\($0): dear { id }" }.joined(separator: " ")) }".utf8),
        operationName: nil
      )
    let error = #expect(throws: GraphQLError.self) { try operation.plan(for: .none) }
    #expect(
      error?.message == "The operation's field cost is at least 150, but at most 100 is allowed. Ask for fewer fields."
    )
  }

  @Test func `infinite costs are rejected, also next to fields without cost`() throws {
    let executable = try Self.executable()
    var limits = RequestLimits()
    limits.depth = 64
    let levels = 40
    let deep =
      String(repeating: "{ children(first: 2147483647) ", count: levels) + "{ id }"
      + String(repeating: "}", count: levels)
    let operation = try Preparation(executable, limits: limits)
      .prepare(Array("{ items(first: 0) \(deep) item { id } other: item \(deep) }".utf8), operationName: nil)
    let error = #expect(throws: GraphQLError.self) { try operation.plan(for: .none) }
    #expect(error?.code == .costExceeded)
  }

  /// Null does not count as a slicing argument. A default value counts as the required argument, and is overridden by a
  /// provided one.
  @Test(arguments: [
    ("sliced(first: 2)", true),
    ("sliced(last: 2)", true),
    ("sliced(first: null, last: 2)", true),
    ("sliced(first: $four)", true),
    ("sliced(first: $four, last: $null)", true),
    ("window", true),
    ("window(last: 5)", true),
    ("window(first: null)", true),
    ("window(first: $null, last: $null)", true),
    ("sliced", false),
    ("sliced(first: null)", false),
    ("sliced(first: $null)", false),
    ("sliced(first: $absent)", false),
    ("sliced(first: 2, last: 3)", false),
    ("sliced(first: $four, last: 3)", false),
    ("window(first: 2, last: 5)", false),
  ])
  func `requires exactly one slicing argument`(field: String, isAccepted: Bool) async throws {
    let executable = try Self.executable()
    var preparation = Preparation(executable)
    // Without validation, all cases can declare the same variables, although not all of them use each.
    preparation.validation = nil
    let document = "query ($four: Int, $null: Int, $absent: Int) { \(field) { id } }"
    let operation = try preparation.prepare(Array(document.utf8), operationName: nil)
    let variables = VariableValues(names: ["four", "null", "absent"], values: [.int(4), .null, nil])
    let response = await Executor(executable).execute(operation, variables: variables, context: Context())
    let answer = response.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    #expect(try codes(answer) == (isAccepted ? [] : ["ONE_SLICING_ARGUMENT_REQUIRED"]), "\(answer)")
    #expect(try locations(answer) == (isAccepted ? [] : [[1, 48]]))
  }

  @Test(arguments: [("{ words(first: 2) }", true), ("{ words }", false), ("{ words(first: 2, last: 3) }", false)])
  func `requires exactly one slicing argument of a list of leaves`(document: String, isAccepted: Bool) throws {
    let executable = try Self.executable()
    let operation = try Preparation(executable).prepare(Array(document.utf8), operationName: nil)
    let result = Result { try operation.plan(for: .none) }
    let code: ErrorCode? = if case .failure(let error as GraphQLError) = result { error.code } else { nil }
    #expect(code == (isAccepted ? nil : .oneSlicingArgumentRequired))
  }

  @Test func `names the slicing arguments of the list in the error`() throws {
    let executable = try Self.executable()
    func message(_ document: String) -> String? {
      #expect(throws: GraphQLError.self) {
        try Preparation(executable).prepare(Array(document.utf8), operationName: nil).plan(for: .none)
      }?.message
    }
    #expect(
      message("{ sliced { id } }")
        == #"Field "sliced" requires exactly one of the arguments "first", "last" to limit the size of its list, but 0 were provided."#
    )
    #expect(
      message("{ item { children { id } } }")
        == #"Field "children" requires the argument "first" to limit the size of its list, but 0 were provided."#
    )
  }

  @Test func `the cost of deeply nested lists is computed in full`() throws {
    let executable = try Self.executable()
    let levels = 25
    let document =
      "{ items(first: 100) " + String(repeating: "{ children(first: 100) ", count: levels) + "{ id }"
      + String(repeating: "}", count: levels) + "}"
    let operation = try Preparation(executable).prepare(Array(document.utf8), operationName: nil)
    #expect(throws: GraphQLError.self) { try operation.plan(for: .none) }
  }
}
