import Foundation
import Testing

@testable import GraphQL

/// Specification, section 6.4.1: null in the variable of an argument that must not be null is found when the field is
/// executed, if the variable has a default value.
@Suite("Failing introspection fields")
struct IntrospectionFailureTests {
  /// Selections in which `$d` is null, the expected data, and the paths of the errors.
  static let answers: [(String, String, [String])] = [
    (
      #"nick __type(name: "State") { name enumValues(includeDeprecated: $d) { name } }"#,
      #"{"nick":null,"__type":{"name":"State","enumValues":null}}"#,
      [#"["__type","enumValues"]"#]
    ),
    (
      #"a: __type(name: "Query") { name f: fields(includeDeprecated: $d) { name } } nick"#,
      #"{"a":{"name":"Query","f":null},"nick":null}"#,
      [#"["a","f"]"#]
    ),
    (
      #"__type(name: "Filter") { inputFields(includeDeprecated: $d) { name } kind __typename }"#,
      #"{"__type":{"inputFields":null,"kind":"INPUT_OBJECT","__typename":"__Type"}}"#,
      [#"["__type","inputFields"]"#]
    ),
    // In a list, each object has an error.
    (
      #"__type(name: "Child") { interfaces { name fields(includeDeprecated: $d) { name } } }"#,
      #"{"__type":{"interfaces":[{"name":"Node","fields":null},{"name":"Named","fields":null}]}}"#,
      [#"["__type","interfaces",0,"fields"]"#, #"["__type","interfaces",1,"fields"]"#]
    ),
    (
      #"__type(name: "Query") { fields { name type { kind ofType { name enumValues(includeDeprecated: $d) { name } } } } }"#,
      #"{"__type":{"fields":[{"name":"child","type":{"kind":"NON_NULL","ofType":{"name":"Child","enumValues":null}}},{"name":"things","type":{"kind":"NON_NULL","ofType":{"name":null,"enumValues":null}}}]}}"#,
      [
        #"["__type","fields",0,"type","ofType","enumValues"]"#, #"["__type","fields",1,"type","ofType","enumValues"]"#,
      ]
    ),
    (
      #"__type(name: "Query") { fields(includeDeprecated: true) { name isDeprecated type { fields(includeDeprecated: $d) { name } } } }"#,
      #"{"__type":{"fields":[{"name":"child","isDeprecated":false,"type":{"fields":null}},{"name":"things","isDeprecated":false,"type":{"fields":null}},{"name":"nick","isDeprecated":true,"type":{"fields":null}}]}}"#,
      (0..<3).map { #"["__type","fields",\#($0),"type","fields"]"# }
    ),
    // Arguments are not nullable, so null propagates to the nearest nullable field.
    (
      #"__type(name: "Query") { name fields { name args(includeDeprecated: $d) { name } } kind }"#,
      #"{"__type":{"name":"Query","fields":null,"kind":"OBJECT"}}"#,
      [#"["__type","fields",0,"args"]"#]
    ),
    (
      "nick __schema { directives { args(includeDeprecated: $d) { name } } }", "null",
      [#"["__schema","directives",0,"args"]"#]
    ),
    // Without objects there are no errors.
    (
      #"__type(name: "Day") { name fields { args(includeDeprecated: $d) { name } } }"#,
      #"{"__type":{"name":"Day","fields":null}}"#, []
    ),
    (#"__type(name: "Nothing") { fields(includeDeprecated: $d) { name } }"#, #"{"__type":null}"#, []),
  ]

  @Test(arguments: answers)
  func `has a field error if the variable of includeDeprecated is null`(
    selection: String,
    data: String,
    paths: [String]
  ) async throws {
    let server = try IntrospectionServer(IntrospectionTests.sdl)
    let text = Self.text(selection)
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    let expected = try Self.response(data, paths: paths, to: text)
    for _ in 0..<2 {
      #expect(try await server.answer(operation, #"{"d":null}"#) == expected)
      #expect(try await !server.answer(operation).contains("errors"))
    }
  }

  @Test func `a request that asks for nulls has null and an error in each object`() async throws {
    let server = try IntrospectionServer(IntrospectionTests.sdl)
    let text = Self.text("nick __schema { directives { name args(includeDeprecated: $d) { name } } }")
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    let names = ["cost", "include", "skip", "deprecated", "specifiedBy", "oneOf"]
    let directives = names.map { #"{"name":"\#($0)","args":null}"# }.joined(separator: ",")
    let expected = try Self.response(
      #"{"nick":null,"__schema":{"directives":[\#(directives)]}}"#,
      paths: names.indices.map { #"["__schema","directives",\#($0),"args"]"# },
      to: text
    )
    #expect(try await server.answer(operation, #"{"d":null}"#, onError: .null) == expected)
  }

  @Test func `a request that halts at the first error has one`() async throws {
    let server = try IntrospectionServer(IntrospectionTests.sdl)
    let text = Self.text(#"__type(name: "Child") { interfaces { fields(includeDeprecated: $d) { name } } } nick"#)
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    let expected = try Self.response("null", paths: [#"["__type","interfaces",0,"fields"]"#], to: text)
    #expect(try await server.answer(operation, #"{"d":null}"#, onError: .halt) == expected)
  }

  @Test func `errors are limited in number`() async throws {
    var server = try IntrospectionServer(IntrospectionTests.sdl)
    var limits = ExecutionLimits()
    limits.errors = 1
    server.executor = Executor(server.executable, limits: limits)
    let text = Self.text(#"__type(name: "Child") { interfaces { fields(includeDeprecated: $d) { name } } }"#)
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    let answer = try await server.answer(operation, #"{"d":null}"#)
    #expect(answer.hasPrefix(#"{"data":{"__type":{"interfaces":[{"fields":null},{"fields":null}]}},"errors":["#))
    #expect(try messages(answer) == [Self.message, "One more error was omitted."])
  }

  @Test func `the results of several fields are limited in size together`() async throws {
    var server = try IntrospectionServer(IntrospectionTests.sdl)
    let field = #"__type(name: "State") { name enumValues(includeDeprecated: $d) { name } }"#
    let text = Self.text((0..<100).map { "a\($0): \(field)" }.joined(separator: " "))
    for (limit, isAllowed) in [(4000, false), (8000, true)] {
      server.preparation.limits.introspectionBytes = limit
      let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
      let answer = try await server.answer(operation, #"{"d":null}"#)
      #expect(answer.contains("INTROSPECTION_TOO_LARGE") == !isAllowed, "\(answer.prefix(300))")
    }
  }

  @Test func `the rest of the result is complete`() async throws {
    let text = SchemaIntrospection.query
      .replacing("query IntrospectionQuery", with: "query ($d: Boolean = true)")
      .replacing(
        "fragment FullType on __Type {",
        with: "fragment FullType on __Type { x: fields(includeDeprecated: $d) { name }"
      )
    let server = try IntrospectionServer(IntrospectionTests.sdl)
    let operation = try server.preparation.prepare(Array(text.utf8), operationName: nil)
    let answer = try await server.answer(operation, #"{"d":null}"#)
    let json = String(decoding: try SchemaIntrospection.json(server.executable.schema), as: UTF8.self)
    #expect(answer.contains(#""x":null"#))
    #expect(answer.replacing(#""x":null,"#, with: "").hasPrefix(#"{"data":\#(json),"errors":[{"#))
  }

  private static func text(_ selection: String) -> String { "query ($d: Boolean = true) { \(selection) }" }

  private static let message = #"Argument "includeDeprecated" of non-null type "Boolean!" must not be null."#

  /// The response with an error at each of the paths, which are JSON. Each has the location of the only argument `$d`.
  private static func response(_ data: String, paths: [String], to text: String) throws -> String {
    if paths.isEmpty { return #"{"data":\#(data)}"# }
    let argument = try #require(text.firstRange(of: "$d)")).lowerBound
    let column = text.utf8.distance(from: text.startIndex, to: argument) + 1
    let escaped = message.replacing("\"", with: "\\\"")
    let errors = paths.map { path in
      #"{"message":"\#(escaped)","locations":[{"line":1,"column":\#(column)}],"path":\#(path),"#
        + #""extensions":{"code":"BAD_USER_INPUT"}}"#
    }
    return #"{"data":\#(data),"errors":[\#(errors.joined(separator: ","))]}"#
  }
}
