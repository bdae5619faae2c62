import Bytes
import Foundation
import Testing

@testable import GraphQL

/// Whatever is asked costs only bounded time, memory and stack.
@Suite("Limits of execution")
struct ExecutionLimitTests {
  @Test func `an operation that nests too deeply is refused`() async throws {
    let depth = 31
    let deep = { (levels: Int) in
      "{ cat " + String(repeating: "{ next ", count: levels) + "{ id }" + String(repeating: "}", count: levels + 1)
    }
    #expect(try codes(await ZooServer().answer(deep(depth - 1))) == [])
    #expect(try codes(await ZooServer().answer(deep(depth))) == ["OPERATION_TOO_DEEP"])
  }

  @Test func `a fragment that spreads itself below itself is too deep`() async throws {
    let json = try await ZooServer().answer("{ cat { ...F } } fragment F on Cat { next { ...F } }")
    #expect(try codes(json) == ["OPERATION_TOO_DEEP"])
  }

  @Test func `thousands of fragments in a row need no stack`() async throws {
    let chain = (0..<1800).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }.joined(separator: " ")
    let json = try await ZooServer().answer("{ ...F0 } \(chain) fragment F1800 on Query { __typename }")
    #expect(json == #"{"data":{"__typename":"Query"}}"#)
  }

  @Test func `abstract types do not multiply with the depth`() async throws {
    // Each of twelve levels may be a cat or a dog, each field asks for both.
    let levels = 12
    let document =
      "{ named " + String(repeating: "{ ... on Cat { next { id } } ... on Dog { next { id } } friends ", count: levels)
      + "{ id }" + String(repeating: "}", count: levels) + "}"
    let operation = try ZooServer().preparation.prepare(Array(document.utf8), operationName: nil)
    let plan = try operation.plan(for: .none, ZooServer().executable)
    #expect(plan.fields.count < levels * 20)
  }

  @Test func `fields are counted over all types that they may be of`() async throws {
    var server = try ZooServer()
    server.preparation.limits.fields = 50
    let many = (0..<30).map { "a\($0): id" }.joined(separator: " ")
    #expect(try codes(await server.answer("{ cat { \(many) } }")) == [])
    #expect(try codes(await server.answer("{ named { \(many) } }")) == ["TOO_MANY_FIELDS"])
  }

  @Test func `a long value is worked out once, however many sets have its field`() throws {
    let server = try ZooServer()
    let plan = { (count: Int) in
      let sets = (0..<500).map { "a\($0): cat { ...F }" }.joined(separator: " ")
      let list = Array(repeating: "1", count: count).joined(separator: " ")
      let document = "{ \(sets) } fragment F on Cat { echo(list: [\(list)]) }"
      let operation = try server.preparation.prepare(Array(document.utf8), operationName: nil)
      let clock = ContinuousClock()
      let start = clock.now
      let plan = try operation.plan(for: .none, server.executable)
      #expect(plan.leaves.count == 1)
      return clock.now - start
    }
    let (short, long) = (try plan(1), try plan(5000))
    #expect(long < short * 20, "\(short), \(long)")
  }

  @Test func `selections that are looked at again and again are counted`() async throws {
    let nothing = (0..<1000).map { _ in "... on Dog { id }" }.joined(separator: " ")
    let spreads = (0..<1000).map { "a\($0): cat { ...F }" }.joined(separator: " ")
    let json = try await ZooServer().answer("{ \(spreads) } fragment F on Cat { \(nothing) }")
    #expect(try codes(json) == ["TOO_MANY_FIELDS"])
  }

  @Test func `an answer that grows past its bound is not sent`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 100_000
    let server = try ZooServer(executionLimits: limits)
    // A few objects, reached by five to the power of the depth ways.
    let levels = 12
    let document =
      "{ named(first: 5) " + String(repeating: "{ friends(first: 5) ", count: levels) + "{ id }"
      + String(repeating: "}", count: levels) + "}"
    let answer = await server.answer(ZooRequest(document: document), onError: .null)
    #expect(
      answer.json
        == #"{"data":null,"errors":[{"message":"The answer has more than 100000 bytes. Ask for less of it.","extensions":{"code":"RESPONSE_TOO_LARGE"}}]}"#
    )
    #expect(answer.context.loads.values.joined().reduce(0, +) < 200, "what is shared is loaded once")
  }

  @Test func `an answer of one object is bounded too`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 1000
    let server = try ZooServer(executionLimits: limits)
    for root in ["{", "mutation { add { value }"] {
      let long = (0..<200).map { "a\($0): __typename" }.joined(separator: " ")
      #expect(try codes(await server.answer("\(root) \(long) }")) == ["RESPONSE_TOO_LARGE"])
    }
    #expect(try codes(await server.answer("{ __typename a: __typename cat { id } }")) == [])
  }

  @Test func `what failures take back counts as answer`() async throws {
    var limits = ExecutionLimits()
    limits.responseBytes = 100_000
    let server = try ZooServer(executionLimits: limits)
    // Every level ends with a failure that takes it back up to `next`, so that hardly anything is left of it.
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

  @Test func `a thousand errors are told as a hundred`() async throws {
    let document = "{ " + (0..<1000).map { "a\($0): failing" }.joined(separator: " ") + " }"
    let told = try messages(await ZooServer().answer(document))
    #expect(told.count == 101)
    #expect(told.last == "900 more errors are left out.")
  }

  @Test func `a thread with a small stack is enough`() throws {
    // As deep as the parser and the plan let it be, in selections and in values.
    let value = String(repeating: "{a: 1, inner: ", count: 15) + "{a: 1}" + String(repeating: "}", count: 15)
    let document =
      "{ cat " + String(repeating: "{ ... { mother ", count: 15) + String(repeating: "{ mother ", count: 14)
      + "{ id echo(box: \(value)) pack { id } }" + String(repeating: "}", count: 14)
      + String(repeating: "} }", count: 15) + " }"
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var json = "nothing"
    let thread = Thread {
      // Nothing in it waits, so that it is done on this thread before the next line.
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
