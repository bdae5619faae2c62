import Testing

@testable import GraphQL

@Suite("Error behavior")
struct ErrorBehaviorTests {
  static func answer(_ document: String, _ behavior: ErrorBehavior) async throws -> ZooAnswer {
    try await ZooServer().answer(ZooRequest(document: document), onError: behavior)
  }

  static let document = "{ a: cat(n: 5) { id tag slow } failingHard b: named { number friends { tag } } }"

  @Test func `PROPAGATE nulls the nearest nullable parent`() async throws {
    let json = try await Self.answer(Self.document, .propagate).json
    #expect(json.hasPrefix(#"{"data":null,"errors":["#))
    #expect(try messages(json) == ["No tag for 5.", "It fails hard."])
  }

  @Test func `NULL nulls only the failed field, and reports each error`() async throws {
    let json = try await Self.answer(Self.document, .null).json
    #expect(
      json.hasPrefix(
        #"{"data":{"a":{"id":"cat:5","tag":null,"slow":null},"failingHard":null,"b":[{"number":0,"friends":[{"tag":"tag \"1\"\n"},{"tag":"tag \"2\"\n"}]},{"number":1,"friends":[{"tag":"tag \"2\"\n"},{"tag":null}]},{"number":2,"friends":[{"tag":null},{"tag":"tag \"4\"\n"}]}]},"errors":"#
      )
    )
    #expect(
      try messages(json) == [
        "No tag for 5.", "Too slow: 5.", "It fails hard.", "Cannot return null for non-nullable field Dog.tag.",
        "Cannot return null for non-nullable field Dog.tag.",
      ]
    )
  }

  @Test func `NULL in lists keeps the other items`() async throws {
    let json = try await Self.answer("{ cat(n: 2) { numbers } other: cat(n: 5) { friends { id } } }", .null).json
    #expect(
      json.hasPrefix(#"{"data":{"cat":{"numbers":[2,null]},"other":{"friends":[{"id":"cat:6"},{"id":"dog:7"},null]}}"#)
    )
  }

  @Test func `HALT returns no data and the first error`() async throws {
    let json = try await Self.answer(Self.document, .halt).json
    #expect(
      json
        == #"{"data":null,"errors":[{"message":"No tag for 5.","locations":[{"line":1,"column":21}],"path":["a","tag"],"extensions":{"code":"NO_TAG"}}]}"#
    )
    #expect(try await Self.answer("{ cat(n: 5) { slow } }", .halt).json.hasPrefix(#"{"data":null"#))
    #expect(try await Self.answer("{ cat { id } }", .halt).json == #"{"data":{"cat":{"id":"cat:1"}}}"#)
  }

  @Test func `a mutation continues after a field error with NULL, and stops with HALT`() async throws {
    let document = "mutation { a: add { value } addOrFail(number: -1) { value } b: add { value } }"
    let null = try await Self.answer(document, .null)
    #expect(null.json.hasPrefix(#"{"data":{"a":{"value":1},"addOrFail":null,"b":{"value":2}},"errors":[{"#))
    #expect(null.context.history == [1, 1])
    let halt = try await Self.answer(document, .halt)
    #expect(halt.json.hasPrefix(#"{"data":null,"errors":[{"message":"Too low.""#))
    #expect(halt.context.history == [1])
  }
}
