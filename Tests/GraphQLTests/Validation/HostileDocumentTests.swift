import Foundation
import Glibc
import Testing

@testable import GraphQL

/// Documents made to be dear: each is validated or refused within a bounded time and a thread's small stack, with all
/// limits on and with none but the budget.
@Suite("Hostile documents", .serialized)
struct HostileDocumentTests {
  struct Hostile: CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  static let schema = Result {
    try SchemaBuilder.build(
      """
      interface Node { id: ID! node: Node }
      type Query { a(x: Int, s: String, in: In): Query b: Query c: Query name: String! id: ID! node: Node n: Int }
      type One implements Node { id: ID! node: Node f: One g: Two }
      type Two implements Node { id: ID! node: Node f: Two g: One }
      type Subscription { t: Int }
      input In { a: Int in: In }
      """
    )
  }

  private static func chain(_ count: Int, _ body: (Int) -> String) -> String {
    "{ ...F0 } " + many(count) { "fragment F\($0) on Query { \(body($0 + 1)) }" }
      + " fragment F\(count) on Query { name }"
  }

  static let documents: [Hostile] = [
    Hostile("364 KB of one field", "{ " + many(75_000) { _ in "name" } + " }"),
    Hostile("364 KB of overlapping objects", "{ " + many(33_000) { _ in "a { name }" } + " }"),
    Hostile(
      "objects overlapping in objects",
      "{ " + many(1500) { _ in "a { \(many(20) { _ in "a { name }" }) }" } + " }"
    ),
    Hostile("aliases in thousands", "{ " + many(20_000) { "x\($0): name" } + " }"),
    Hostile("a conflict behind thousands", "{ " + many(30_000) { _ in "x: name" } + " x: id }"),
    Hostile("nothing but conflicts", "{ " + many(20_000) { "x: a(x: \($0)) { name }" } + " }"),
    Hostile("fragments that double 30 times", chain(30) { "a { ...F\($0) } b { ...F\($0) }" }),
    Hostile("fragments that double in one set", chain(30) { "...F\($0) ... { ...F\($0) } name" }),
    Hostile(
      "fragments that double and merge",
      chain(25) { "a { ...F\($0) name } a { ...F\($0) id } b { ...F\($0) }" }
    ),
    Hostile("a long chain of fragments", chain(5000) { "...F\($0) name" }),
    Hostile("a long chain of fragments in fields", chain(4000) { "a { ...F\($0) }" }),
    Hostile(
      "two long chains to compare",
      "{ ...F0 ...G0 x: name x: id } "
        + many(2000) {
          "fragment F\($0) on Query { a { ...F\($0 + 1) } } fragment G\($0) on Query { a { ...G\($0 + 1) } }"
        }
        + " fragment F2000 on Query { name } fragment G2000 on Query { name: id }"
    ),
    Hostile(
      "a ring of fragments",
      "{ ...F0 } " + many(3000) { "fragment F\($0) on Query { a { ...F\(($0 + 1) % 3000) } }" }
    ),
    Hostile(
      "every fragment in every fragment",
      "{ ...F0 } " + many(70) { "fragment F\($0) on Query { \(many(70) { "...F\($0)" }) }" }
    ),
    Hostile(
      "sets of fragments beyond count",
      "{ ...A } fragment A on Query { a { ...A ...B } b { ...A } } fragment B on Query { a { ...C0 } b { ...C0 } } "
        + many(24) { "fragment C\($0) on Query { a { ...C\($0 + 1) } b { ...C\($0 + 1) } }" }
        + " fragment C24 on Query { id }"
    ),
    Hostile(
      "a large fragment in many places",
      "{ " + many(1000) { "x\($0): a { ...F }" } + " } fragment F on Query { " + many(2000) { "y\($0): id" } + " }"
    ),
    Hostile(
      "operations that share variables",
      many(300) { "query Q\($0)($v: Int) { ...F }" } + " fragment F on Query { "
        + many(2000) { "a\($0): a(x: $v) { id }" } + " }"
    ),
    Hostile(
      "variables in thousands",
      "query (" + many(3000) { "$v\($0): Int" } + ") { " + many(3000) { "a\($0): a(x: $v\(2999 - $0)) { id }" } + " }"
    ),
    Hostile("unused variables", "query (" + many(6000) { "$v\($0): Int" } + ") { id }"),
    Hostile("unknown fields", "{ " + many(14_000) { "unknown\($0)" } + " }"),
    Hostile(
      "arguments in two orders",
      "{ a(" + many(3000) { "x\($0): 1" } + ") { id } a(" + many(3000) { "x\(2999 - $0): 1" } + ") { id } }"
    ),
    Hostile("directives in thousands", "{ id " + many(7000) { _ in "@skip(if: true)" } + " }"),
    Hostile(
      "deep introspection",
      "{ __schema { types { " + many(20) { _ in "fields { type {" } + " name "
        + many(20) { _ in "} }" } + " } } }"
    ),
    Hostile(
      "a subscription of fragments",
      "subscription { " + many(5000) { "...F\($0)" } + " } "
        + many(5000) { "fragment F\($0) on Subscription { t }" }
    ),
    Hostile(
      "parents that exclude one another",
      "{ node { " + many(4000) { $0 % 2 == 0 ? "... on One { x: f { id } }" : "... on Two { x: g { id } }" } + " } }"
    ),
    Hostile(
      "deep values",
      "{ a(in: " + String(repeating: "{in: ", count: 60) + "{a: 1}" + String(repeating: "}", count: 60) + ") { id } }"
    ),
    Hostile("deep selections", "{ " + many(62) { _ in "a {" } + " id " + many(62) { _ in "}" } + " }"),
    Hostile("deep inline fragments", "{ " + many(62) { _ in "... {" } + " id " + many(62) { _ in "}" } + " }"),
    Hostile("one name of 200 KB", "{ " + many(20) { _ in String(repeating: "n", count: 10_000) } + " }"),
  ]

  @Test(arguments: documents)
  func `costs little time and stack`(hostile: Hostile) async throws {
    let schema = try Self.schema.get()
    let document = try Parser.parse(Source(hostile.text), options: .trusted)
    var unlimited = ValidationOptions()
    unlimited.limits.aliases = .max
    unlimited.limits.depth = .max
    unlimited.limits.directives = .max
    unlimited.limits.fragmentSpreads = .max
    unlimited.limits.introspectionLists = .max
    unlimited.limits.rootFields = .max
    for options in [ValidationOptions(), unlimited] {
      let (milliseconds, messageBytes) = await onSmallStack {
        let start = processorTime()
        let errors = Validator.validate(document, against: schema, options: options)
        return (processorTime() - start, errors.reduce(0) { $0 + $1.message.utf8.count })
      }
      // 50 ms for what is built for release; without optimisation it takes some twenty times as long.
      #if DEBUG
        #expect(milliseconds < 2000, "\(milliseconds) ms")
      #else
        #expect(milliseconds < 50, "\(milliseconds) ms")
      #endif
      #expect(messageBytes < 200_000)
    }
  }

  /// Runs work on a thread with the smallest stack that the server's threads have.
  private func onSmallStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: work()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}

/// The processor time that this thread has taken, in milliseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}
