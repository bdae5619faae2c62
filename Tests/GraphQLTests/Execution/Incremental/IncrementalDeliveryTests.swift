import Foundation
import Testing

@testable import GraphQL

/// `@defer` and `@stream` (specification draft of incremental delivery).
@Suite("Incremental delivery")
struct IncrementalDeliveryTests {
  private let server: IncrementalServer

  init() throws { server = try IncrementalServer() }

  @Test func `a deferred fragment follows, and is loaded when it is due`() async throws {
    let document = #"{ cat(n: 1) { id ... @defer(label: "A") { next { id } } } }"#
    let response = try await server.respond(ZooRequest(document: document))
    #expect(
      response.parts == [
        #"{"data":{"cat":{"id":"cat:1"}},"pending":[{"id":"0","path":["cat"],"label":"A"}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"next":{"id":"cat:2"}},"id":"0"}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ]
    )
    #expect(response.loads == [["Cat": [1]], ["Cat": [1]]])
  }

  @Test func `the previous format has paths and labels`() async throws {
    let document = #"{ cat(n: 1) { id ... @defer(label: "A") { next { id } } } }"#
    #expect(
      try await server.parts(document, format: .previous) == [
        #"{"data":{"cat":{"id":"cat:1"}},"hasNext":true}"#,
        #"{"incremental":[{"data":{"next":{"id":"cat:2"}},"path":["cat"],"label":"A"}],"hasNext":false}"#,
      ]
    )
  }

  @Test func `a client that does not accept parts gets one response`() async throws {
    let document = "{ cat(n: 1) { ...F @defer } named(first: 3) @stream { id } } fragment F on Cat { id }"
    #expect(
      try await server.parts(document, format: nil) == [
        #"{"data":{"cat":{"id":"cat:1"},"named":[{"id":"cat:0"},{"id":"dog:1"},{"id":"cat:2"}]}}"#
      ]
    )
  }

  @Test func `a fragment of many objects is one part with one load`() async throws {
    let document = "{ named(first: 5) { id ... on Cat @defer { next { number } } } }"
    let response = try await server.respond(ZooRequest(document: document))
    #expect(response.parts.count == 2)
    #expect(response.loads.last == ["Cat": [3]])
    let second = try IncrementalMerge.object(response.parts[1])
    #expect((second["incremental"] as? [Any])?.count == 3)
    #expect((second["completed"] as? [Any])?.count == 3)
  }

  @Test func `fields outside of the fragment are not delivered again`() async throws {
    #expect(
      try await server.parts("{ cat(n: 1) { id ... @defer { id number } ... @defer { id } } }") == [
        #"{"data":{"cat":{"id":"cat:1"}},"pending":[{"id":"0","path":["cat"]}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"number":1},"id":"0"}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ]
    )
  }

  @Test func `a fragment can add fields below the object that it is about`() async throws {
    #expect(
      try await server.parts("{ cat(n: 1) { next { id } ... @defer { next { number } } } }") == [
        #"{"data":{"cat":{"next":{"id":"cat:2"}}},"pending":[{"id":"0","path":["cat"]}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"number":2},"id":"0","subPath":["next"]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ]
    )
  }

  @Test func `fields of two fragments are delivered once, with the first`() async throws {
    #expect(
      try await server.parts(
        #"{ cat(n: 1) { ... @defer(label: "A") { id number } ... @defer(label: "B") { id isTame } } }"#
      ) == [
        #"{"data":{"cat":{}},"pending":[{"id":"0","path":["cat"],"label":"A"},{"id":"1","path":["cat"],"label":"B"}],"#
          + #""hasNext":true}"#,
        #"{"incremental":[{"data":{"id":"cat:1"},"id":"0"},{"data":{"number":1},"id":"0"}],"completed":[{"id":"0"}],"#
          + #""hasNext":true}"#,
        #"{"incremental":[{"data":{"isTame":false},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}"#,
      ]
    )
  }

  @Test func `a fragment in a fragment is announced when that is complete`() async throws {
    #expect(
      try await server.parts("{ cat(n: 1) { ... @defer { id ... @defer { number } } } }") == [
        #"{"data":{"cat":{}},"pending":[{"id":"0","path":["cat"]}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"id":"cat:1"},"id":"0"}],"pending":[{"id":"1","path":["cat"]}],"#
          + #""completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"number":1},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}"#,
      ]
    )
  }

  @Test func `a list continues in slices`() async throws {
    var limits = ExecutionLimits()
    limits.streamedItems = 2
    let server = try IncrementalServer(limits: limits)
    let document = #"{ named(first: 5) @stream(initialCount: 2, label: "S") { id next { id } } }"#
    let response = try await server.respond(ZooRequest(document: document))
    #expect(
      response.parts == [
        #"{"data":{"named":[{"id":"cat:0","next":{"id":"cat:1"}},{"id":"dog:1","next":{"id":"dog:3"}}]},"#
          + #""pending":[{"id":"0","path":["named"],"label":"S"}],"hasNext":true}"#,
        #"{"incremental":[{"items":[{"id":"cat:2","next":{"id":"cat:3"}},{"id":"dog:3","next":{"id":"dog:5"}}],"id":"0"}],"#
          + #""hasNext":true}"#,
        #"{"incremental":[{"items":[{"id":"cat:4","next":{"id":"cat:5"}}],"id":"0"}],"completed":[{"id":"0"}],"#
          + #""hasNext":false}"#,
      ]
    )
    // The items are loaded with the list, and what they refer to when they are due.
    #expect(response.loads[1] == ["Cat": [1], "Dog": [1]])
  }

  @Test func `a slice has at most 50 items`() async throws {
    let ids = Array(repeating: #""cat:1""#, count: 51).joined(separator: ", ")
    let parts = try await server.parts("{ nodes(ids: [\(ids)]) @stream { __typename } }")
    let slices = try parts.map { part in
      let results = try IncrementalMerge.object(part)["incremental"] as? [[String: Any]] ?? []
      return results.map { ($0["items"] as? [Any] ?? []).count }
    }
    #expect(slices == [[], [50], [1]])
  }

  @Test func `a list in the previous format has the index of its first item`() async throws {
    #expect(
      try await server.parts("{ named(first: 3) @stream(initialCount: 1) { id } }", format: .previous) == [
        #"{"data":{"named":[{"id":"cat:0"}]},"hasNext":true}"#,
        #"{"incremental":[{"items":[{"id":"dog:1"},{"id":"cat:2"}],"path":["named",1]}],"hasNext":false}"#,
      ]
    )
  }

  @Test func `a list that is complete at once is not announced`() async throws {
    #expect(
      try await server.parts("{ named(first: 2) @stream(initialCount: 2) { id } }") == [
        #"{"data":{"named":[{"id":"cat:0"},{"id":"dog:1"}]}}"#
      ]
    )
  }

  @Test(arguments: ["true", "false"])
  func `a variable decides whether a fragment is deferred`(value: String) async throws {
    let document = "query ($if: Boolean = false) { cat(n: 1) { ... @defer(if: $if) { id } } }"
    let parts = try await server.parts(document, #"{"if": \#(value)}"#)
    #expect(parts.count == (value == "false" ? 1 : 2))
  }

  @Test func `a variable is the number of initial items`() async throws {
    let document = "query ($count: Int!) { named(first: 3) @stream(initialCount: $count) { id } }"
    for count in [0, 2, 1] {
      let part = try await server.parts(document, #"{"count": \#(count)}"#)[0]
      #expect(part.ranges(of: #"{"id":""#).count == count + 1)
    }
  }

  // MARK: Errors

  @Test func `an error in a deferred field is in its part`() async throws {
    let parts = try await server.parts("{ cat(n: 1) { id ... @defer { slow } } }")
    #expect(
      parts[1] == #"{"incremental":[{"data":{"slow":null},"errors":[{"message":"Too slow: 1.","#
        + #""locations":[{"line":1,"column":31}],"path":["cat","slow"],"extensions":{"code":"BAD_USER_INPUT"}}],"id":"0"}],"#
        + #""completed":[{"id":"0"}],"hasNext":false}"#
    )
  }

  @Test func `null propagates to the fragment, which is then complete with errors`() async throws {
    let parts = try await server.parts("{ cat(n: 1) { id ... @defer { number lonely { id } } ... @defer { number } } }")
    #expect(parts[0].hasPrefix(#"{"data":{"cat":{"id":"cat:1"}},"pending":[{"id":"0","path":["cat"]},"#))
    // The field that the other fragment has too is delivered with it.
    #expect(
      parts[1].hasPrefix(#"{"incremental":[{"data":{"number":1},"id":"1"}],"completed":[{"id":"0","errors":[{"#)
    )
    #expect(parts[1].hasSuffix(#"},{"id":"1"}],"hasNext":false}"#))
    let previous = try await server.parts(
      #"{ cat(n: 1) { id ... @defer(label: "A") { lonely { id } } } }"#,
      format: .previous
    )
    #expect(previous[1].hasPrefix(#"{"incremental":[{"data":null,"errors":[{"message":"Rocks are lonely.""#))
    #expect(previous[1].hasSuffix(#","path":["cat"],"label":"A"}],"hasNext":false}"#))
  }

  @Test func `what is below a null is not announced`() async throws {
    let parts = try await server.parts("{ cat(n: 1) { ... @defer { id } lonely { id } } dog(n: 1) { id } }")
    #expect(parts.count == 1 && parts[0].hasPrefix(#"{"data":{"cat":null,"dog":{"id":"dog:1"}},"errors":["#))
  }

  // MARK: Limits

  @Test func `a response defers at most so many parts`() async throws {
    var limits = ExecutionLimits()
    limits.deferredParts = 3
    let server = try IncrementalServer(limits: limits)
    #expect(try await server.parts("{ named(first: 3) { ... @defer { id } } }").count == 2)
    let parts = try await server.parts("{ named(first: 4) { ... @defer { id } } }")
    #expect(
      parts.count == 1 && parts[0].hasPrefix(#"{"data":null,"errors":[{"message":"The response defers more than 3"#)
    )
    #expect(try codes(parts[0]) == ["TOO_MANY_DEFERRED_PARTS"])
  }

  @Test func `the parts together have at most so many bytes`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 220
    let parts = try await IncrementalServer(limits: limits)
      .parts(
        "{ named(first: 5) { id } cat { ... @defer { friends(first: 5) { id number tag next { id number tag } } } } }"
      )
    #expect(parts.count == 2)
    #expect(parts[1].contains("RESPONSE_TOO_LARGE") && parts[1].hasSuffix(#""hasNext":false}"#))
  }

  @Test func `the cost of deferred fields counts`() async throws {
    let document = { (directive: String) in "{ cat(n: 1) { ... \(directive) { friends(first: 5) { next { id } } } } }" }
    let prepare = { (directive: String) throws -> Int? in
      let operation = try server.zoo.preparation.prepare(Array(document(directive).utf8), operationName: nil)
      let plan = try operation.plan(for: .none, isIncremental: true)
      #expect((plan.incremental != nil) == (directive == "@defer"))
      return Int(CostAnalysis.cost(of: plan) { $0.constantArguments }.fields)
    }
    #expect(try prepare("@defer") == prepare("@include(if: true)"))
  }

  @Test func `an operation that defers at every level needs a small stack`() throws {
    let levels = 30
    let document =
      "{ cat " + String(repeating: "{ ... @defer { mother ", count: levels) + "{ id }"
      + String(repeating: "} }", count: levels) + "}"
    let operation = try server.zoo.preparation.prepare(Array(document.utf8), operationName: nil)
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var usages = 0
    nonisolated(unsafe) let prepared = operation
    let thread = Thread {
      let plan = try? prepared.plan(for: .none, isIncremental: true)
      usages = plan?.incremental?.usages.count ?? 0
      finished.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    finished.wait()
    #expect(usages == levels)
  }

  @Test func `an operation has at most so many deferred fragments`() async throws {
    let document = { (count: Int) in "{ cat { \(String(repeating: "... @defer { id } ", count: count)) } }" }
    #expect(try await server.parts(document(100)).count == 2)
    let operation = try server.zoo.preparation.prepare(Array(document(101).utf8), operationName: nil)
    let error = #expect(throws: GraphQLError.self) {
      try operation.plan(for: .none, isIncremental: true)
    }
    #expect(error?.code == .tooManyDeferredParts)
    // A complete response defers nothing.
    #expect(throws: Never.self) { try operation.plan(for: .none) }
  }

  // MARK: Any document

  @Test(arguments: [IncrementalFormat.current, .previous])
  func `the parts of a response together are the complete response`(format: IncrementalFormat) async throws {
    var limits = ExecutionLimits()
    limits.streamedItems = 2
    let server = try IncrementalServer(limits: limits)
    var generator = RequestGenerator(server.zoo.executable.schema, seed: 42)
    var incremental = 0
    for number in 0..<1_500 {
      var request = generator.request()
      if request.document.hasPrefix("mutation") { continue }
      request.document = request.document.replacing(#/\.\.\. on [A-Z][a-z]+ \{|\.\.\.F[0-9] /#) { match in
        match.0.hasSuffix("{") ? match.0.dropLast() + "@defer {" : match.0 + "@defer "
      }
      if number % 2 == 0 {
        request.document = request.document.replacing(#/(friends|things|named|under|pack)(\([^)]*\))? \{/#) { match in
          match.0.dropLast() + "@stream(initialCount: 1) {"
        }
      }
      let complete = try await server.respond(request, format: nil).parts[0]
      let overdue = number % 5
      let response = try await server.respond(request, format: format) { context in
        if overdue > 1 { context.looksLeft = overdue * 3 }
        context.hasDataAtOnce = overdue != 1
      }
      for part in response.parts { _ = try IncrementalMerge.object(part) }
      if response.parts.count > 1 { incremental += 1 }
      guard !complete.contains(#""errors":["#) else { continue }
      let expected = IncrementalMerge.text(try IncrementalMerge.object(complete)["data"] ?? "")
      let merged = try IncrementalMerge.data(of: response.parts, format: format)
      #expect(merged == expected, "\(request) \(response.parts)")
    }
    #expect(incremental > 200)
  }

  @Test func `parts continue off the loop, and fail if there is no room`() async throws {
    let document = "{ cat(n: 1) { id ... @defer { next { id } } } }"
    let expected = try await server.parts(document)
    for looks in 0..<8 {
      #expect(try await server.respond(ZooRequest(document: document)) { $0.looksLeft = looks }.parts == expected)
    }
    let response = try await server.respond(ZooRequest(document: document)) { $0.startsOffLoop = true }
    #expect(response.parts == expected && response.moves == 2)
  }
}
