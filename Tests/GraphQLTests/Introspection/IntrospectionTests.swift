import Foundation
import Testing

@testable import GraphQL

/// Specification, section 4.
@Suite("Introspection")
struct IntrospectionTests {
  static let sdl = #"""
    "A \"household\"."
    schema { query: Query mutation: Change }
    type Query { child(id: ID!, old: Int @deprecated(reason: "Gone.")): Child! things: [[Thing!]!]! nick: String @deprecated }
    type Change { rename: Int }
    interface Node { id: ID! }
    interface Named implements Node { id: ID! name: String }
    "A child."
    type Child implements Node & Named { id: ID! name: String }
    union Thing = Child | Query
    enum State { OPEN "Late." LATE @deprecated(reason: "No.") }
    input Filter @oneOf { word: String state: State @deprecated }
    input Page { first: Int = 10, states: [State!]! = [OPEN], text: String = "a\"b" }
    scalar Day @specifiedBy(url: "https://example.com/day")
    directive @cost(weight: Int = 1, old: Int @deprecated) repeatable on FIELD_DEFINITION | ENUM
    """#

  /// The introspection fields, and the expected data.
  static let answers: [(String, String)] = [
    ("{ __typename }", #"{"__typename":"Query"}"#),
    ("mutation { __typename }", #"{"__typename":"Change"}"#),
    (
      "{ __schema { __typename description } }",
      #"{"__schema":{"__typename":"__Schema","description":"A \"household\"."}}"#
    ),
    (
      "{ __schema { queryType { name } mutationType { name kind } subscriptionType { name } } }",
      #"{"__schema":{"queryType":{"name":"Query"},"mutationType":{"name":"Change","kind":"OBJECT"},"subscriptionType":null}}"#
    ),
    (#"{ __type(name: "Nothing") { name } }"#, #"{"__type":null}"#),
    (
      #"{ a: __type(name: "Child") { __typename kind name description } b: __type(name: "Int") { kind name fields { name } } }"#,
      #"{"a":{"__typename":"__Type","kind":"OBJECT","name":"Child","description":"A child."},"b":{"kind":"SCALAR","name":"Int","fields":null}}"#
    ),
    (
      #"{ __type(name: "Query") { fields { name isDeprecated deprecationReason } } }"#,
      #"{"__type":{"fields":[{"name":"child","isDeprecated":false,"deprecationReason":null},{"name":"things","isDeprecated":false,"deprecationReason":null}]}}"#
    ),
    (
      #"{ __type(name: "Query") { fields(includeDeprecated: true) { name deprecationReason } } }"#,
      #"{"__type":{"fields":[{"name":"child","deprecationReason":null},{"name":"things","deprecationReason":null},{"name":"nick","deprecationReason":"No longer supported"}]}}"#
    ),
    (
      #"{ __type(name: "Query") { fields { args { name } all: args(includeDeprecated: true) { name deprecationReason isDeprecated } } } }"#,
      #"{"__type":{"fields":[{"args":[{"name":"id"}],"all":[{"name":"id","deprecationReason":null,"isDeprecated":false},{"name":"old","deprecationReason":"Gone.","isDeprecated":true}]},{"args":[],"all":[]}]}}"#
    ),
    (
      #"{ __type(name: "Query") { fields { type { kind name ofType { kind ofType { kind ofType { kind ofType { kind name ofType { kind } } } } } } } } }"#,
      #"{"__type":{"fields":[{"type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"OBJECT","ofType":null}}},{"type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":{"kind":"LIST","ofType":{"kind":"NON_NULL","name":null,"ofType":{"kind":"UNION"}}}}}}}]}}"#
    ),
    (
      #"{ __type(name: "Node") { kind possibleTypes { name } interfaces { name } fields { name } inputFields { name } enumValues { name } isOneOf specifiedByURL ofType { name } } }"#,
      #"{"__type":{"kind":"INTERFACE","possibleTypes":[{"name":"Child"}],"interfaces":[],"fields":[{"name":"id"}],"inputFields":null,"enumValues":null,"isOneOf":null,"specifiedByURL":null,"ofType":null}}"#
    ),
    (
      #"{ __type(name: "Child") { interfaces { name } possibleTypes { name } } union: __type(name: "Thing") { kind possibleTypes { name } interfaces { name } fields { name } } }"#,
      #"{"__type":{"interfaces":[{"name":"Node"},{"name":"Named"}],"possibleTypes":null},"union":{"kind":"UNION","possibleTypes":[{"name":"Child"},{"name":"Query"}],"interfaces":null,"fields":null}}"#
    ),
    (
      #"{ __type(name: "State") { kind enumValues { name } all: enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } } }"#,
      #"{"__type":{"kind":"ENUM","enumValues":[{"name":"OPEN"}],"all":[{"name":"OPEN","description":null,"isDeprecated":false,"deprecationReason":null},{"name":"LATE","description":"Late.","isDeprecated":true,"deprecationReason":"No."}]}}"#
    ),
    (
      #"{ __type(name: "Filter") { kind isOneOf inputFields { name } all: inputFields(includeDeprecated: true) { name isDeprecated } } }"#,
      #"{"__type":{"kind":"INPUT_OBJECT","isOneOf":true,"inputFields":[{"name":"word"}],"all":[{"name":"word","isDeprecated":false},{"name":"state","isDeprecated":true}]}}"#
    ),
    (
      #"{ __type(name: "Page") { isOneOf inputFields { name defaultValue } } }"#,
      #"{"__type":{"isOneOf":false,"inputFields":[{"name":"first","defaultValue":"10"},{"name":"states","defaultValue":"[OPEN]"},{"name":"text","defaultValue":"\"a\\\"b\""}]}}"#
    ),
    (
      #"{ __type(name: "Day") { kind specifiedByURL } }"#,
      #"{"__type":{"kind":"SCALAR","specifiedByURL":"https://example.com/day"}}"#
    ),
    (
      "{ __schema { directives { name isRepeatable locations args { name defaultValue } } } }",
      #"{"__schema":{"directives":[{"name":"cost","isRepeatable":true,"locations":["FIELD_DEFINITION","ENUM"],"args":[{"name":"weight","defaultValue":"1"}]},{"name":"include","isRepeatable":false,"locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"args":[{"name":"if","defaultValue":null}]},{"name":"skip","isRepeatable":false,"locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"args":[{"name":"if","defaultValue":null}]},{"name":"deprecated","isRepeatable":false,"locations":["FIELD_DEFINITION","ARGUMENT_DEFINITION","INPUT_FIELD_DEFINITION","ENUM_VALUE"],"args":[{"name":"reason","defaultValue":"\"No longer supported\""}]},{"name":"specifiedBy","isRepeatable":false,"locations":["SCALAR"],"args":[{"name":"url","defaultValue":null}]},{"name":"oneOf","isRepeatable":false,"locations":["INPUT_OBJECT"],"args":[]}]}}"#
    ),
    // Field collection and merging, with fragments and aliases.
    (
      #"{ ...F __type(name: "Day") { k: kind ... on __Type { name kind } } nick } fragment F on Query { __type(name: "Day") { ...T name } } fragment T on __Type { kind }"#,
      #"{"__type":{"kind":"SCALAR","name":"Day","k":"SCALAR"},"nick":null}"#
    ),
    (
      #"{ __type(name: "Day") { name @skip(if: true) kind @include(if: true) ... @skip(if: true) { description } } }"#,
      #"{"__type":{"kind":"SCALAR"}}"#
    ),
    (
      #"{ __type(name: "Day") { name @skip(if: true) } empty: __schema { description @skip(if: true) } }"#,
      #"{"__type":{},"empty":{}}"#
    ),
    (
      #"{ __type(name: "Day") { a: __typename kind b: __typename c: __typename } }"#,
      #"{"__type":{"a":"__Type","kind":"SCALAR","b":"__Type","c":"__Type"}}"#
    ),
    // A type of which the same and other fields are selected in several places.
    (
      #"{ __type(name: "Child") { fields { type { ...T } again: type { ...T } other: type { name } last: type { ...T } } } } fragment T on __Type { kind ofType { name } }"#,
      #"{"__type":{"fields":[{"type":{"kind":"NON_NULL","ofType":{"name":"ID"}},"again":{"kind":"NON_NULL","ofType":{"name":"ID"}},"other":{"name":null},"last":{"kind":"NON_NULL","ofType":{"name":"ID"}}},{"type":{"kind":"SCALAR","ofType":null},"again":{"kind":"SCALAR","ofType":null},"other":{"name":"String"},"last":{"kind":"SCALAR","ofType":null}}]}}"#
    ),
    ("{ nick __schema { queryType { name } } child(id: 1) { id } }", #"null"#),
  ]

  @Test(arguments: answers)
  func `returns the selected fields`(text: String, expected: String) async throws {
    let answer = try await IntrospectionServer(Self.sdl).answer(text)
    #expect(answer.hasPrefix("{\"data\":\(expected)"), "\(answer)")
  }

  @Test func `uses the variables of every request`() async throws {
    let server = try IntrospectionServer(Self.sdl)
    let text = """
      query ($name: String!, $all: Boolean = false, $skip: Boolean! = false) {
        __type(name: $name) { name @skip(if: $skip) enumValues(includeDeprecated: $all) { name } }
      }
      """
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    func answer(_ name: String, _ more: String = "") async throws -> String {
      try await server.answer(operation, "{\"name\":\"\(name)\"\(more)}")
    }
    let all = #","all":true"#
    for _ in 0..<2 {
      #expect(try await answer("State") == #"{"data":{"__type":{"name":"State","enumValues":[{"name":"OPEN"}]}}}"#)
      #expect(
        try await answer("State", all)
          == #"{"data":{"__type":{"name":"State","enumValues":[{"name":"OPEN"},{"name":"LATE"}]}}}"#
      )
      #expect(
        try await answer("State", #","all":null"#).contains("must not be null")
      )
      #expect(try await answer("Day") == #"{"data":{"__type":{"name":"Day","enumValues":null}}}"#)
      #expect(
        try await answer("Day", #","skip":true"#)
          == #"{"data":{"__type":{"enumValues":null}}}"#
      )
      #expect(try await answer("Nothing") == #"{"data":{"__type":null}}"#)
    }
  }

  @Test func `has a field error if a variable is null`() async throws {
    let server = try IntrospectionServer(Self.sdl)
    let text =
      #"query ($name: String = "Day") { nick a: __type(name: $name) { name } b: __type(name: $name) { kind } }"#
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    #expect(
      try await server.answer(operation) == #"{"data":{"nick":null,"a":{"name":"Day"},"b":{"kind":"SCALAR"}}}"#
    )
    let error =
      #""message":"Argument \"name\" of non-null type \"String!\" must not be null.","locations":[{"line":1,"column":"#
    #expect(
      try await server.answer(operation, #"{"name":null}"#)
        == #"{"data":{"nick":null,"a":null,"b":null},"errors":[{"# + error
        + #"54}],"path":["a"],"extensions":{"code":"BAD_USER_INPUT"}},{"# + error
        + #"86}],"path":["b"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    )
  }

  @Test(arguments: [
    #"{ __type(name: "Query") { fields(includeDeprecated: null) { name } } }"#,
    #"{ __type(name: "Query") { fields { args(includeDeprecated: null) { name } } } }"#,
    #"{ __type(name: "Filter") { inputFields(includeDeprecated: null) { name } } }"#,
    #"{ __type(name: "State") { enumValues(includeDeprecated: null) { name } } }"#,
    "{ __schema { directives { args(includeDeprecated: null) { name } } } }",
  ])
  func `does not accept null for includeDeprecated`(text: String) throws {
    let server = try IntrospectionServer(Self.sdl)
    let error = #expect(throws: GraphQLErrors.self) {
      try server.preparation.prepare(Array(text.utf8), operationName: nil)
    }
    #expect(error?.errors.map(\.code) == [.validationFailed])
    #expect(error?.errors.map(\.message) == ["Expected value of type \"Boolean!\", found null."])
    let column = text.utf8.distance(from: text.startIndex, to: try #require(text.firstRange(of: "null")).lowerBound) + 1
    #expect(error?.errors.first?.locations == [SourceLocation(line: 1, column: column)])
  }

  @Test func `is written once for equal variables`() throws {
    let server = try IntrospectionServer(Self.sdl)
    let operation = try server.preparation.prepare(
      Array("query ($name: String!) { __type(name: $name) { name } }".utf8),
      operationName: nil
    )
    let plan = { (name: String) in
      try operation.plan(for: VariableValues(names: ["name"], values: [.string(name)]))
    }
    let day = try plan("Day")
    #expect(try plan("Day") === day)
    #expect(try plan("State") !== day)
    #expect(try plan("Day") !== day)
  }

  @Test func `makes one plan for a document without variables in introspection fields`() throws {
    let server = try IntrospectionServer(Self.sdl)
    let operation = try server.preparation.prepare(
      Array(#"query ($id: ID!) { __type(name: "Day") { name } child(id: $id) { id } }"#.utf8),
      operationName: nil
    )
    let values = { VariableValues(names: ["id"], values: [.string($0)]) }
    let plan = try operation.plan(for: values("1"))
    #expect(try operation.plan(for: values("2")) === plan)
  }

  @Test func `allows only __typename if introspection is disabled`() async throws {
    var server = try IntrospectionServer(Self.sdl)
    server.preparation.validation?.allowsIntrospection = false
    #expect(try await server.answer("{ __typename }") == #"{"data":{"__typename":"Query"}}"#)
    for text in ["{ __schema { __typename } }", #"{ a: __type(name: "Query") { name } }"#] {
      let error = #expect(throws: GraphQLErrors.self) {
        try server.preparation.prepare(Array(text.utf8), operationName: nil)
      }
      #expect(error?.errors.map(\.code) == [.introspectionDisabled])
      #expect(error?.errors.first?.locations == [SourceLocation(line: 1, column: 3)])
    }
  }

  @Test func `is available only on the query root operation type`() throws {
    let server = try IntrospectionServer(Self.sdl)
    for text in ["mutation { __schema { __typename } }", "{ child(id: 1) { __schema { __typename } } }"] {
      #expect(throws: GraphQLErrors.self) { try server.preparation.prepare(Array(text.utf8), operationName: nil) }
    }
  }

  @Test func `is limited in size`() async throws {
    var server = try IntrospectionServer(Self.sdl)
    server.preparation.limits.introspectionBytes = 1000
    let small = try await server.answer("{ __schema { queryType { name } } }")
    #expect(small.hasPrefix("{\"data\""))
    let large = try await server.answer("{ __schema { types { name fields { name } } } }")
    #expect(large.contains(#""code":"INTROSPECTION_TOO_LARGE""#) && !large.contains("data"), "\(large)")
    // Many small results count as much as a large one.
    let many = (0..<100).map { "a\($0): __schema { queryType { name } }" }.joined(separator: " ")
    #expect(try await server.answer("{ \(many) }").contains("INTROSPECTION_TOO_LARGE"))
  }

  @Test func `can be as long as the limit`() async throws {
    var server = try IntrospectionServer(Self.sdl)
    let text = "{ __schema { description types { name description fields { name type { name ofType { name } } } } } }"
    let answer = try await server.answer(text)
    // The limit does not count the two braces after the result.
    server.preparation.limits.introspectionBytes = answer.utf8.count - 2
    #expect(try await server.answer(text) == answer)
    server.preparation.limits.introspectionBytes -= 1
    #expect(try await server.answer(text).contains("INTROSPECTION_TOO_LARGE"))
  }

  @Test func `a fragment that is spread on two levels is limited on both`() async throws {
    var server = try IntrospectionServer(Self.sdl)
    let text = """
      { __type(name: "Query") { fields { type { ...T } args { type { ofType { ...T } } } } } }
      fragment T on __Type { ofType { ofType { name } } }
      """
    server.preparation.limits.depth = 8
    #expect(try await server.answer(text).hasPrefix("{\"data\""))
    server.preparation.limits.depth = 7
    #expect(try await server.answer(text).contains("OPERATION_TOO_DEEP"))
  }

  /// It takes ten milliseconds to find that sixty introspections of the whole schema exceed the limit.
  @Test func `the error of a document whose result is too long is cached`() throws {
    let server = try IntrospectionServer(Self.sdl)
    var preparation = server.preparation
    preparation.limits.introspectionBytes = 30_000
    let text = "{ \((0..<60).map { "a\($0): __schema { types { name fields { name } } }" }.joined(separator: " ")) }"
    let operation = try preparation.prepare(Array(text.utf8), operationName: nil)
    func seconds(_ count: Int) -> Duration {
      ContinuousClock().measure {
        for _ in 0..<count {
          let error = #expect(throws: GraphQLError.self) { try operation.plan(for: .none) }
          #expect(error?.code == .introspectionTooLarge)
        }
      }
    }
    let first = seconds(1)
    #expect(seconds(100) < first * 50)
  }

  @Test func `stops early on results of exponential size`() async throws {
    var server = try IntrospectionServer("type Query { a: Query b: Query c: Query d: Query }")
    // Documents that validation rejects are limited here as well.
    server.preparation.validation?.limits.introspectionLists = .max
    server.preparation.validation?.limits.fragmentSpreads = .max
    var text = "{ __schema { types { ...F0 } } }"
    for depth in 0..<12 {
      text +=
        " fragment F\(depth) on __Type { a: fields { type { ...F\(depth + 1) } } b: fields { type { ...F\(depth + 1) } } }"
    }
    text += " fragment F12 on __Type { name }"
    let answer = try await server.answer(text)
    #expect(answer.contains("INTROSPECTION_TOO_LARGE"), "\(answer.prefix(300))")
  }

  @Test func `responds to the introspection query of graphical tools`() async throws {
    for file in CompleteSchemas.files {
      let sdl = try CompleteSchemas.sdl(file)
      let server = try IntrospectionServer(sdl)
      let answer = try await server.answer(SchemaIntrospection.query)
      let json = String(decoding: try SchemaIntrospection.json(server.executable.schema), as: UTF8.self)
      #expect(answer == "{\"data\":\(json)}")
    }
  }
}
