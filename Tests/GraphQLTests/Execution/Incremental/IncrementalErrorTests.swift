import Testing

@testable import GraphQL

/// Errors in responses that are delivered in parts, and errors of `@defer` and `@stream`.
@Suite("Errors of incremental delivery")
struct IncrementalErrorTests {
  private let server: IncrementalServer

  init() throws { server = try IncrementalServer() }

  // MARK: Lists

  @Test func `a null item ends a list with errors, and has no entry of its own`() async throws {
    // The friends are the animals from 4 on. The tag of the dog 5 is an error.
    let document = "{ cat(n: 1) { friends(first: 5, from: 3) @stream(initialCount: 1) { tag } } }"
    let error = Self.noTag(column: 69)
    #expect(
      try await server.parts(document).last
        == #"{"completed":[{"id":"0","errors":[\#(error)]}],"hasNext":false}"#
    )
    #expect(
      try await server.parts(document, format: .previous).last
        == #"{"incremental":[{"items":null,"errors":[\#(error)],"path":["cat","friends",1]}],"hasNext":false}"#
    )
  }

  @Test func `the items before a null item are delivered`() async throws {
    let document = #"{ cat(n: 1) { friends(first: 5, from: 3) @stream(label: "S") { tag } } }"#
    let error = Self.noTag(column: 64)
    let items = #"[{"tag":"tag \"4\"\n"}]"#
    #expect(
      try await server.parts(document).last
        == #"{"incremental":[{"items":\#(items),"id":"0"}],"completed":[{"id":"0","errors":[\#(error)]}],"#
        + #""hasNext":false}"#
    )
    #expect(
      try await server.parts(document, format: .previous).last
        == #"{"incremental":[{"items":\#(items),"path":["cat","friends",0],"label":"S"},"#
        + #"{"items":null,"errors":[\#(error)],"path":["cat","friends",1],"label":"S"}],"hasNext":false}"#
    )
  }

  @Test func `errors in the items before a null item are in the entry of these items`() async throws {
    // Of the cat 22, the big number is an error. The tag of the cat 24 is null.
    let document = "{ cat(n: 1) { friends(first: 3, from: 21) @stream { tag ... on Cat { big } } } }"
    let parts = try await server.parts(document)
    let part = try #require(parts.last)
    let (big, tag) = (#""path":["cat","friends",0,"big"]"#, #""path":["cat","friends",2,"tag"]"#)
    let halves = part.split(separator: #","id":"0"}],"completed":[{"id":"0","errors":["#)
    try #require(halves.count == 2, "\(part)")
    #expect(
      halves[0].hasPrefix(
        #"{"incremental":[{"items":[{"tag":"tag \"22\"\n","big":null},{"tag":"tag \"23\"\n"}],"errors":[{"#
      )
    )
    #expect(halves[0].contains(big) && !halves[0].contains(tag))
    #expect(halves[1].contains(tag) && !halves[1].contains(big))
  }

  @Test func `a list that ends because the response is too large has the error in both formats`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 140
    let server = try IncrementalServer(limits: limits)
    let document = #"{ named(first: 5) @stream(initialCount: 1, label: "S") { id name number } }"#
    let error =
      #"{"message":"The response has more than 140 bytes. Select fewer fields or items.","#
      + #""extensions":{"code":"RESPONSE_TOO_LARGE"}}"#
    #expect(
      try await server.parts(document, format: .previous) == [
        #"{"data":{"named":[{"id":"cat:0","name":"cat 0","number":0}]},"hasNext":true}"#,
        #"{"incremental":[{"items":null,"errors":[\#(error)],"path":["named",1],"label":"S"}],"hasNext":false}"#,
      ]
    )
    #expect(
      try await server.parts(document).last == #"{"completed":[{"id":"0","errors":[\#(error)]}],"hasNext":false}"#
    )
  }

  private static func noTag(column: Int) -> String {
    #"{"message":"No tag for 5.","locations":[{"line":1,"column":\#(column)}],"path":["cat","friends",1,"tag"],"#
      + #""extensions":{"code":"NO_TAG"}}"#
  }

  // MARK: HALT

  @Test func `with HALT, an error in a part ends everything that is pending`() async throws {
    let request = ZooRequest(document: "{ cat(n: 1) { id ... @defer { slow } ... @defer { number } } }")
    let error =
      #"{"message":"Too slow: 1.","locations":[{"line":1,"column":31}],"path":["cat","slow"],"#
      + #""extensions":{"code":"BAD_USER_INPUT"}}"#
    let current = try await server.respond(request, onError: .halt).parts
    #expect(
      current.dropFirst() == [
        #"{"completed":[{"id":"0","errors":[\#(error)]},{"id":"1","errors":[\#(error)]}],"hasNext":false}"#
      ]
    )
    let previous = try await server.respond(request, format: .previous, onError: .halt).parts
    let entry = #"{"data":null,"errors":[\#(error)],"path":["cat"]}"#
    #expect(previous.dropFirst() == [#"{"incremental":[\#(entry),\#(entry)],"hasNext":false}"#])
  }

  @Test func `with HALT, an error in an item ends everything that is pending`() async throws {
    let document = """
      { cat(n: 1) { a: friends(first: 5, from: 3) @stream(initialCount: 1) { tag } b: friends @stream { number } } }
      """
    let parts = try await server.respond(ZooRequest(document: document), onError: .halt).parts
    let last = try #require(parts.last)
    #expect(last.ranges(of: "No tag for 5.").count == 2)
    #expect(last.hasPrefix(#"{"completed":["#) && last.hasSuffix(#""hasNext":false}"#))
    #expect(!parts.joined().contains(#""number""#))
  }

  // MARK: Arguments of the directives

  @Test(arguments: [IncrementalFormat.current, .previous, nil] as [IncrementalFormat?])
  func `null for the argument of a directive is an error, whatever the client accepts`(
    format: IncrementalFormat?
  ) async throws {
    for (document, variables, argument, type, column) in [
      (
        "query ($if: Boolean = false) { cat(n: 1) { ... @defer(if: $if) { id } } }", #"{"if": null}"#, "if", "Boolean!",
        59
      ),
      (
        "query ($if: Boolean = false) { named @stream(if: $if) { id } }", #"{"if": null}"#, "if", "Boolean!", 50
      ),
      (
        "query ($count: Int = 1) { named @stream(initialCount: $count) { id } }", #"{"count": null}"#, "initialCount",
        "Int!", 55
      ),
    ] {
      #expect(
        try await server.parts(document, variables, format: format) == [
          #"{"errors":[{"message":"Argument \"\#(argument)\" of non-null type \"\#(type)\" must not be null.","#
            + #""locations":[{"line":1,"column":\#(column)}],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
        ]
      )
    }
  }

  @Test func `a variable without a value leaves the argument its default value, and null does not`() throws {
    let document = "query ($if: Boolean) { cat(n: 1) { ... @defer(if: $if) { id } } }"
    let operation = try server.zoo.preparation.prepare(Array(document.utf8), operationName: nil)
    // Both with the same operation, which keeps its plans.
    for _ in 0..<2 {
      let absent = VariableValues(names: ["if"], values: [nil])
      #expect(try operation.plan(for: absent, isIncremental: true).incremental != nil)
      let null = VariableValues(names: ["if"], values: [.null])
      #expect(throws: GraphQLError.self) { try operation.plan(for: null, isIncremental: true) }
    }
  }

  @Test(arguments: [IncrementalFormat.current, .previous, nil] as [IncrementalFormat?])
  func `a negative number of initial items is an error, whatever the client accepts`(
    format: IncrementalFormat?
  ) async throws {
    for count in ["-1", "$count"] {
      let document = "query ($count: Int) { named(first: 3) @stream(initialCount: \(count)) { id } }"
      #expect(
        try await server.parts(document, #"{"count": -1}"#, format: format) == [
          #"{"errors":[{"message":"The argument \"initialCount\" of \"@stream\" is -1, but must not be negative.","#
            + #""locations":[{"line":1,"column":23}],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
        ]
      )
    }
  }
}
