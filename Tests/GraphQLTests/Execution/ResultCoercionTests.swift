import Bytes
import Testing

@testable import GraphQL

/// A leaf is coerced to a cell, and an item of a list when it is written: both have the same rules.
@Suite("Result coercion")
struct ResultCoercionTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let type: String
    let value: LeafValue
    var testDescription: String { "\(type) of \(value.shown)" }
  }

  /// With each `ColumnFormat` of a scalar, none, and an enum type.
  static let types = ["Int", "Float", "String", "Boolean", "ID", "Time", "Count", "Any", "Color"]

  static let values: [LeafValue] = [
    .null, .int(5), .int(-1), .int(1 << 40), .int(.max), .double(2), .double(2.5), .double(-0.0), .double(1e300),
    .double(.infinity), .double(.nan), .boolean(true), .boolean(false), .string("RED"), .string(""),
    .string("a \"quoted\" line\n"), .list([.int(1)]), .list([]),
  ]

  static let examples = types.flatMap { type in values.map { Example(type: type, value: $0) } }

  private final class Context: ExecutionContext {
    private(set) var reports: [String] = []
    func objectType(of key: Int64) -> TypeID? { nil }
    func willSuspend() {}
    func report(_ error: any Error, at field: String) { reports.append("\(error)") }
  }

  /// The data and the errors of a response whose field `one` returns the value, or whose field `many` returns a list of
  /// it.
  private static func answer(
    _ field: String,
    _ example: Example
  ) async throws -> (data: Substring, errors: [String]) {
    let schema = try SchemaBuilder.build(
      """
      type Query { one: \(example.type) many: [\(example.type)] }
      scalar Time scalar Count scalar Any
      enum Color { RED GREEN }
      """,
      scalars: [
        "Time": ScalarCoercion(format: .dateTime) { value, _, _ throws(ScalarError) in value },
        "Count": ScalarCoercion(format: .integer) { value, _, _ throws(ScalarError) in value },
        "Any": .any,
      ]
    )
    let executable = try ExecutableSchema(
      schema,
      objects: [
        "Query": ObjectBinding(
          fields: [
            "one": .leaf(needs: []) { _ in example.value },
            "many": .leaf(needs: []) { _ in .list([example.value]) },
          ]
        )
      ]
    )
    let context = Context()
    let operation = try Preparation(executable).prepare(Array("{ value: \(field) }".utf8), operationName: nil)
    let response = await Executor(executable).execute(operation, variables: .none, context: context)
    let json = String(decoding: response.array(), as: UTF8.self)
    let start = #"{"data":{"value":"#
    let end = json.firstRange(of: #"},"errors":["#)?.lowerBound ?? json.index(json.endIndex, offsetBy: -2)
    try #require(json.hasPrefix(start))
    let data = json[json.index(json.startIndex, offsetBy: start.count)..<end]
    return (data, try messages(json) + codes(json) + context.reports)
  }

  @Test(arguments: examples) func `of a field and of a list's item is the same`(example: Example) async throws {
    let one = try await Self.answer("one", example)
    let many = try await Self.answer("many", example)
    #expect(many.data == "[\(one.data)]")
    #expect(many.errors == one.errors)
  }

  @Test func `converts values as their types require`() async throws {
    func data(_ type: String, _ value: LeafValue) async throws -> String {
      String(try await Self.answer("one", Example(type: type, value: value)).data)
    }
    #expect(try await data("Int", .double(2)) == "2")
    #expect(try await data("Int", .int(1 << 40)) == "null")
    #expect(try await data("Count", .int(1 << 40)) == "1099511627776")
    #expect(try await data("Float", .boolean(true)) == "1")
    #expect(try await data("String", .double(2.5)) == #""2.5""#)
    #expect(try await data("ID", .double(2.5)) == "null")
    #expect(try await data("Boolean", .int(1)) == "null")
    #expect(try await data("Time", .int(5)) == #""1970-01-01T00:00:00.005Z""#)
    #expect(try await data("Color", .string("RED")) == #""RED""#)
    #expect(try await data("Color", .string("BLUE")) == "null")
    #expect(try await data("Any", .list([.int(1)])) == "[1]")
  }
}
