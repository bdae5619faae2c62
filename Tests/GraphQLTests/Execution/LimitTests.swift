import Basics
import Bytes
import Foundation
import Testing

@testable import GraphQL

/// Every request is executed with bounded time, memory and stack.
@Suite("Limits of execution")
struct ExecutionLimitTests {
  @Test func `an operation that is nested too deeply is rejected`() async throws {
    let depth = 31
    let deep = { (levels: Int) in
      "{ cat " + String(repeating: "{ next ", count: levels) + "{ id }" + String(repeating: "}", count: levels + 1)
    }
    #expect(try codes(await ZooServer().answer(deep(depth - 1))) == [])
    #expect(try codes(await ZooServer().answer(deep(depth))) == ["OPERATION_TOO_DEEP"])
  }

  @Test func `a fragment that spreads itself in a nested field is too deep`() async throws {
    let json = try await ZooServer().answer("{ cat { ...F } } fragment F on Cat { next { ...F } }")
    #expect(try codes(json) == ["OPERATION_TOO_DEEP"])
  }

  @Test func `a chain of thousands of fragments does not overflow the stack`() async throws {
    let chain = (0..<1800).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }.joined(separator: " ")
    let json = try await ZooServer().answer("{ ...F0 } \(chain) fragment F1800 on Query { __typename }")
    #expect(json == #"{"data":{"__typename":"Query"}}"#)
  }

  @Test func `work for abstract types does not grow exponentially with the depth`() async throws {
    // Each of twelve levels can be a cat or a dog, and each field selects on both.
    let levels = 12
    let document =
      "{ named " + String(repeating: "{ ... on Cat { next { id } } ... on Dog { next { id } } friends ", count: levels)
      + "{ id }" + String(repeating: "}", count: levels) + "}"
    let operation = try ZooServer().preparation.prepare(Array(document.utf8), operationName: nil)
    let plan = try operation.plan(for: .none)
    #expect(plan.fields.count < levels * 20)
  }

  @Test func `fields are counted for every possible type`() async throws {
    var server = try ZooServer()
    server.preparation.limits.fields = 50
    let many = (0..<30).map { "a\($0): id" }.joined(separator: " ")
    #expect(try codes(await server.answer("{ cat { \(many) } }")) == [])
    #expect(try codes(await server.answer("{ named { \(many) } }")) == ["TOO_MANY_FIELDS"])
  }

  @Test func `a long argument value is coerced once for any number of selection sets`() throws {
    let server = try ZooServer()
    let plan = { (count: Int) in
      let sets = (0..<500).map { "a\($0): cat { ...F }" }.joined(separator: " ")
      let list = Array(repeating: "1", count: count).joined(separator: " ")
      let document = "{ \(sets) } fragment F on Cat { echo(list: [\(list)]) }"
      let operation = try server.preparation.prepare(Array(document.utf8), operationName: nil)
      let start = ThreadClock.nanoseconds
      let plan = try operation.plan(for: .none)
      let time = ThreadClock.nanoseconds - start
      #expect(plan.leaves.count == 1)
      return time
    }
    let (short, long) = (try plan(1), try plan(5000))
    #expect(long < short * 20, "\(short), \(long)")
  }

  @Test func `repeated visits of selections are counted`() async throws {
    let nothing = (0..<1000).map { _ in "... on Dog { id }" }.joined(separator: " ")
    let spreads = (0..<1000).map { "a\($0): cat { ...F }" }.joined(separator: " ")
    let json = try await ZooServer().answer("{ \(spreads) } fragment F on Cat { \(nothing) }")
    #expect(try codes(json) == ["TOO_MANY_FIELDS"])
  }

  @Test(arguments: ["NAME: id", "...NAME", "... @include(if: $NAME) { id }"])
  func `a long name counts for each selection set`(selection: String) async throws {
    let answer = { (length: Int) in
      let name = String(repeating: "n", count: length)
      let sets = (0..<100).map { "a\($0): cat { ...F }" }.joined(separator: " ")
      let fragment = selection.replacing("NAME", with: name)
      let document =
        "query ($\(name): Boolean = true) { \(sets) } fragment F on Cat { \(fragment) } fragment \(name) on Cat { id }"
      return try await codes(ZooServer().answer(document))
    }
    #expect(try await answer(10_000) == [])
    #expect(try await answer(40_000) == ["TOO_MANY_FIELDS"])
  }

  @Test func `a response beyond the size limit is not sent`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 100_000
    let server = try ZooServer(executionLimits: limits)
    // A few objects, reachable on a number of paths that is a power of five.
    let levels = 12
    let document =
      "{ named(first: 5) " + String(repeating: "{ friends(first: 5) ", count: levels) + "{ id }"
      + String(repeating: "}", count: levels) + "}"
    let answer = await server.answer(ZooRequest(document: document), onError: .null)
    #expect(
      answer.json
        == #"{"data":null,"errors":[{"message":"The response has more than 100000 bytes. Select fewer fields or items.","extensions":{"code":"RESPONSE_TOO_LARGE"}}]}"#
    )
    #expect(answer.context.loads.values.joined().reduce(0, +) < 200, "shared objects are loaded once")
  }

  @Test func `the size of a response with one object is limited too`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 1000
    let server = try ZooServer(executionLimits: limits)
    for root in ["{", "mutation { add { value }"] {
      let long = (0..<200).map { "a\($0): __typename" }.joined(separator: " ")
      #expect(try codes(await server.answer("\(root) \(long) }")) == ["RESPONSE_TOO_LARGE"])
    }
    #expect(try codes(await server.answer("{ __typename a: __typename cat { id } }")) == [])
  }

  @Test func `bytes that null propagation removes count toward the size limit`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 100_000
    let server = try ZooServer(executionLimits: limits)
    // Every level ends with an error whose null propagates to `next`, so hardly anything is left of the level.
    let levels = 9
    let document =
      "{ nodes(ids: [\"cat:10\", \"cat:12\"]) { ... on Cat { "
      + String(repeating: "things(first: 5) { ... on Cat { ", count: levels) + "id"
      + String(repeating: " lonely { id } } ... on Dog { likes { __typename } } }", count: levels) + " } } }"
    let clock = ContinuousClock()
    let start = clock.now
    let json = await server.answer(document)
    #expect(clock.now - start < .seconds(60))
    #expect(json.utf8.count < 200_000)
  }

  @Test func `of a thousand field errors a hundred are reported`() async throws {
    let document = "{ " + (0..<1000).map { "a\($0): failing" }.joined(separator: " ") + " }"
    let reported = try messages(await ZooServer().answer(document))
    #expect(reported.count == 101)
    #expect(reported.last == "900 more errors were omitted.")
  }

  @Test func `a long literal is shown in part by the errors that it causes`() async throws {
    let text = String(repeating: "x", count: 100_000)
    let answer = { (count: Int) in
      let fields = (0..<count).map { "a\($0): self { ...F }" }.joined(separator: " ")
      let document =
        "query ($i: Int) { \(fields) } fragment F on Query { echo(box: {a: $i, b: [\"\(text)\"]}) }"
      return try await ZooServer().answer(ZooRequest(document: document, variables: #"{"i":null}"#), onError: .null)
        .json
    }
    let few = try await answer(50)
    #expect(try codes(few) == Array(repeating: "BAD_USER_INPUT", count: 50))
    #expect(
      try messages(few).allSatisfy {
        $0.hasPrefix(#"Argument "box" has invalid value {a: $i, b: ["xxx"#)
          && $0.hasSuffix(#"x…. Expected value of non-null type "Int!" not to be null."#)
      }
    )
    let many = try await answer(90)
    #expect(try codes(many).last == "ERRORS_OMITTED")
    #expect(try (50..<90).contains(codes(many).count))
    #expect(many.utf8.count < 200_000)
  }

  @Test func `long paths of errors are limited too`() async throws {
    let name = String(repeating: "n", count: 20_000)
    let fields = (0..<50).map { "a\($0): failing" }.joined(separator: " ")
    let json = try await ZooServer().answer("{ \(name): self { \(fields) } }")
    #expect(try messages(json) == Array(repeating: "It fails.", count: 4) + ["46 more errors were omitted."])
  }

  /// The locations are found in one pass over the document.
  @Test func `errors behind a long document take hardly longer than one`() throws {
    let comment = "#" + String(repeating: "x", count: 200_000)
    let measure = { (count: Int) in
      let fields = (0..<count).map { "a\($0): failing" }.joined(separator: " ")
      let document = "{ __typename \(comment)\n \(fields) }"
      let server = try ZooServer()
      let operation = try server.preparation.prepare(Array(document.utf8), operationName: nil)
      _ = try operation.plan(for: .none)
      let context = ZooContext(server.executable.schema)
      var json = ""
      let start = ThreadClock.nanoseconds
      if case .response(let response) = try server.executor.start(operation, variables: .none, context: context) {
        json = String(decoding: response.array(), as: UTF8.self)
      }
      let time = ThreadClock.nanoseconds - start
      #expect(json.ranges(of: #"{"line":2,"#).count == count)
      return time
    }
    let (one, many) = (try measure(1), try measure(99))
    #expect(many < one * 20, "\(one), \(many)")
  }

  /// Each item of a list can have the error, and finding each location separately would take quadratic time.
  @Test func `of a field that is selected thousands of times, an error has a hundred locations`() async throws {
    let document = "{ self { " + String(repeating: "failing ", count: 3000) + "} }"
    let json = try await ZooServer().answer(document)
    #expect(try messages(json) == ["It fails."])
    #expect(json.contains(#""locations":[{"line":1,"column":10},{"line":1,"column":18},"#))
    #expect(json.ranges(of: #"{"line":"#).count == 100)
  }

  @Test func `a thread with a small stack is enough`() throws {
    // The maximum depth that the parser and the planner allow, in selections and in values.
    let value = String(repeating: "{a: 1, inner: ", count: 15) + "{a: 1}" + String(repeating: "}", count: 15)
    let document =
      "{ cat " + String(repeating: "{ ... { mother ", count: 15) + String(repeating: "{ mother ", count: 14)
      + "{ id echo(box: \(value)) pack { id } }" + String(repeating: "}", count: 14)
      + String(repeating: "} }", count: 15) + " }"
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var json = "nothing"
    let thread = Thread {
      // The operation has no asynchronous resolvers, so it is complete before the next line.
      Task.immediate { json = (try? await ZooServer().answer(document)) ?? "an error" }
      finished.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    finished.wait()
    #expect(json.hasPrefix(#"{"data":{"cat":{"mother":{"mother":"#), "\(json)")
    #expect(json.contains("inner:{a:1"))
  }
}
