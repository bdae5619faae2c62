import Bytes
import Testing

@testable import GraphQL

/// Resolvers and loaders that violate their contract. The response has an error at the correct path, and no other field
/// is affected.
@Suite("Incorrect resolvers")
struct ResolverMistakeTests {
  static let sdl = """
    type Query { one: Item many: [Item] lists: [[Item]] other: Other node: Node must: Item! leaves: [Int] int: Int at: Time }
    type Item implements Node { id: ID! }
    type Other { id: ID! size: Float }
    interface Node { id: ID! }
    scalar Time
    """

  final class Context: ExecutionContext {
    let item: TypeID?
    private(set) var reports: [String] = []
    init(_ schema: Schema) { item = schema.type(named: "Item") }
    /// Keys from 100 on have no object type.
    func objectType(of key: Int64) -> TypeID? { key < 100 ? item : nil }
    func willSuspend() {}
    func report(_ error: any Error, at field: String) { reports.append("\(field): \(error)") }
  }

  struct Broken: Error {}

  /// The response to `document` with these resolvers of query fields. The other fields resolve to null.
  static func answer(
    _ document: String,
    _ fields: [String: FieldBinding],
    limits: ExecutionLimits = ExecutionLimits(),
    load: @escaping @Sendable ([Int64]) throws -> [Int64] = { $0 }
  ) async throws -> (json: String, reports: [String]) {
    let none = FieldBinding.load(needs: []) { _, _ in }
    let all =
      ["one", "many", "lists", "other", "node", "must"].map { ($0, none) }
      + ["leaves", "int", "at"].map { ($0, FieldBinding.leaf(needs: []) { _ in .null }) }
    let schema = try SchemaBuilder.build(
      sdl,
      scalars: ["Time": ScalarCoercion(format: .dateTime) { value, _, _ throws(ScalarError) in value }]
    )
    let executable = try ExecutableSchema(
      schema,
      objects: [
        "Query": ObjectBinding(fields: Dictionary(uniqueKeysWithValues: all).merging(fields) { _, own in own }),
        "Item": ObjectBinding(columns: [.text], fields: ["id": .column(0)]) { keys, rows, _ in
          for key in try load(keys) {
            let (row, isNew) = rows.row(of: key)
            if isNew { rows.set(row, column: 0, text: "\(key)") }
          }
        },
        "Other": ObjectBinding(columns: [.text, .double], fields: ["id": .column(0), "size": .column(1)]),
      ]
    )
    let context = Context(schema)
    let operation = try Preparation(executable).prepare(Array(document.utf8), operationName: nil)
    let response = await Executor(executable, limits: limits).execute(operation, variables: .none, context: context)
    return (String(decoding: response.array(), as: UTF8.self), context.reports)
  }

  static func load(_ load: @escaping @Sendable (inout Batch) throws -> Void) -> FieldBinding {
    .load(needs: []) { batch, _ in try load(&batch) }
  }

  @Test func `a failing loader fails every field that references its objects`() async throws {
    let (json, reports) = try await Self.answer(
      "{ one { id } many { id } }",
      [
        "one": Self.load { $0.add(0, key: 1) },
        "many": Self.load { for key in [1, 2] as [Int64] { $0.add(0, key: key) } },
      ],
      load: { _ in throw Broken() }
    )
    #expect(json.hasPrefix(#"{"data":{"one":null,"many":[null,null]},"errors":["#))
    #expect(try messages(json) == Array(repeating: "Something went wrong on our side.", count: 3))
    #expect(try codes(json) == Array(repeating: "INTERNAL_SERVER_ERROR", count: 3))
    #expect(reports == ["Item: Broken()"])
  }

  @Test func `a loader can throw an error that the client receives`() async throws {
    let (json, reports) = try await Self.answer(
      "{ must { id } }",
      ["must": Self.load { $0.add(0, key: 1) }],
      load: { _ in throw FieldError("Not now.", code: .badUserInput) }
    )
    #expect(
      json
        == #"{"data":null,"errors":[{"message":"Not now.","locations":[{"line":1,"column":3}],"path":["must"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    )
    #expect(reports.isEmpty)
  }

  @Test func `rows that were not requested have no effect`() async throws {
    let (json, _) = try await Self.answer(
      "{ many { id } }",
      ["many": Self.load { for key in [3, 1] as [Int64] { $0.add(0, key: key) } }],
      load: { $0 + [7, 8, 9] }
    )
    #expect(json == #"{"data":{"many":[{"id":"3"},{"id":"1"}]}}"#)
  }

  @Test func `an object of a type that the field cannot return is an error`() async throws {
    let (json, reports) = try await Self.answer(
      "{ other { id } }",
      ["other": Self.load { $0.add(0, key: 1) }]
    )
    #expect(try messages(json) == ["Query.other returned an object of a type that it cannot return."])
    #expect(reports.count == 1)
  }

  @Test func `a key without a type is an object that does not exist`() async throws {
    let (json, _) = try await Self.answer("{ node { id } }", ["node": Self.load { $0.add(0, key: 100) }])
    #expect(json == #"{"data":{"node":null}}"#)
  }

  @Test func `a field that is not a list uses the first object`() async throws {
    let (json, _) = try await Self.answer(
      "{ one { id } }",
      ["one": Self.load { for key in [1, 2] as [Int64] { $0.add(0, key: key) } }]
    )
    #expect(json == #"{"data":{"one":{"id":"1"}}}"#)
  }

  @Test func `an object in place of a list, and a list in place of an object`() async throws {
    let (json, _) = try await Self.answer(
      "{ one { id } many { id } lists { id } }",
      [
        "one": Self.load { $0.add(0, resolved: .list([.key(1)])) }, "many": Self.load { $0.add(0, resolved: .key(1)) },
        "lists": Self.load { for key in [1, 2] as [Int64] { $0.add(0, key: key) } },
      ]
    )
    #expect(json.hasPrefix(#"{"data":{"one":null,"many":null,"lists":null},"errors""#))
    #expect(
      try messages(json) == [
        "Expected one object, but found a list for field \"Query.one\".",
        "Expected Iterable, but did not find one for field \"Query.many\".",
        "Expected Iterable, but did not find one for field \"Query.lists\".",
      ]
    )
  }

  @Test func `an error replaces objects added before and after it`() async throws {
    let (json, _) = try await Self.answer(
      "{ many { id } one { id } }",
      [
        "many": Self.load { batch in
          batch.add(0, key: 1)
          batch.fail(0, with: FieldError("No.", code: .badUserInput))
          batch.add(0, key: 2)
        },
        "one": Self.load { batch in
          batch.add(0, key: 1)
          throw FieldError("Neither.", code: .badUserInput)
        },
      ]
    )
    #expect(json.hasPrefix(#"{"data":{"many":null,"one":null},"#))
    #expect(try messages(json) == ["No.", "Neither."])
  }

  @Test func `leaves that result coercion rejects`() async throws {
    let (json, reports) = try await Self.answer(
      "{ leaves int at }",
      [
        "leaves": .leaf(needs: []) { _ in .list([.int(1), .int(1 << 40), .string("x")]) },
        "int": .leaf(needs: []) { _ in .string("secret") },
        "at": .leaf(needs: []) { _ in .int(.max) },
      ]
    )
    #expect(json.hasPrefix(#"{"data":{"leaves":[1,null,null],"int":null,"at":null},"errors""#))
    #expect(
      try Set(messages(json)) == [
        "Int cannot represent the value that was found.", "Time cannot represent the value that was found.",
      ]
    )
    #expect(!json.contains("secret") && reports.count == 4)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a stored number that JSON does not have is an error`(number: Double) async throws {
    let (json, reports) = try await Self.answer(
      "{ other { id size } }",
      [
        "other": Self.load { batch in
          let rows = batch.rows(of: batch.resultType)
          let (row, _) = rows.row(of: 1)
          rows.set(row, column: 0, text: "1")
          rows.set(row, column: 1, double: number)
          batch.add(0, row: row, of: batch.resultType)
        }
      ]
    )
    #expect(json.hasPrefix(#"{"data":{"other":{"id":"1","size":null}},"errors":["#))
    #expect(try messages(json) == ["Float cannot represent the value that was found."])
    #expect(reports == ["Other.size: Float cannot represent value: \(number)"])
  }

  @Test func `long messages are sent up to a limit, and the first in any case`() async throws {
    let long = String(repeating: "x", count: 100_000)
    let failing = Self.load { _ in throw FieldError(long, code: .badUserInput) }
    let (json, _) = try await Self.answer(
      "{ one { id } many { id } lists { id } }",
      ["one": failing, "many": failing, "lists": failing]
    )
    #expect(try messages(json) == [long, "2 more errors were omitted."])
  }

  @Test func `text beyond the limit of a request is not sent`() async throws {
    let (json, _) = try await Self.answer(
      "{ one { id } }",
      [
        "one": Self.load { batch in
          let rows = batch.rows(of: batch.resultType)
          let text = String(repeating: "x", count: 30 << 20)
          for key in 1...3 as ClosedRange<Int64> { rows.set(rows.row(of: key).row, column: 0, text: text) }
          batch.add(0, key: 1)
        }
      ]
    )
    #expect(try codes(json) == ["RESPONSE_TOO_LARGE"])
  }
}
