/// A hostile document: each must be rejected or executed within 50 ms of processor time.
package struct HostileDocument: CustomStringConvertible, Sendable {
  package let name: String
  package let text: String
  package var description: String { name }

  private init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// The schema that they are written for.
  package static let schema = """
    interface Node { id: ID! node: Node }
    type Query { a(x: Int, s: String, in: In): Query b: Query c: Query name: String! id: ID! node: Node n: Int }
    type One implements Node { id: ID! node: Node f: One g: Two }
    type Two implements Node { id: ID! node: Node f: Two g: One }
    type Subscription { t: Int }
    input In { a: Int in: In }
    """

  private static func chain(_ count: Int, _ body: (Int) -> String) -> String {
    "{ ...F0 } " + many(count) { "fragment F\($0) on Query { \(body($0 + 1)) }" }
      + " fragment F\(count) on Query { name }"
  }

  private static let longName = String(repeating: "n", count: 8_000)
  private static let hugeName = String(repeating: "n", count: 100_000)

  /// Fields with the same names in many levels.
  private static func nested(_ count: Int, levels: Int, _ leaf: (Int) -> String) -> String {
    many(count) { number in "a { \(levels > 1 ? nested(count, levels: levels - 1, leaf) : leaf(number)) }" }
  }

  package static let all: [HostileDocument] = [
    HostileDocument("364 KB of one field", "{ " + many(75_000) { _ in "name" } + " }"),
    HostileDocument("364 KB of overlapping objects", "{ " + many(33_000) { _ in "a { name }" } + " }"),
    HostileDocument(
      "objects overlapping in objects",
      "{ " + many(1500) { _ in "a { \(many(20) { _ in "a { name }" }) }" } + " }"
    ),
    HostileDocument("aliases in thousands", "{ " + many(20_000) { "x\($0): name" } + " }"),
    HostileDocument("a conflict behind thousands", "{ " + many(30_000) { _ in "x: name" } + " x: id }"),
    HostileDocument("nothing but conflicts", "{ " + many(20_000) { "x: a(x: \($0)) { name }" } + " }"),
    HostileDocument("fragments that double 30 times", chain(30) { "a { ...F\($0) } b { ...F\($0) }" }),
    HostileDocument("fragments that double in one set", chain(30) { "...F\($0) ... { ...F\($0) } name" }),
    HostileDocument(
      "fragments that double and merge",
      chain(25) { "a { ...F\($0) name } a { ...F\($0) id } b { ...F\($0) }" }
    ),
    HostileDocument(
      "a long fragment name in many objects of interfaces",
      "{ " + many(2_000) { "x\($0): node { ...F }" } + " } fragment F on One { node { ...\(hugeName) } }"
        + " fragment \(hugeName) on Two { id }"
    ),
    HostileDocument("a long chain of fragments", chain(5000) { "...F\($0) name" }),
    HostileDocument("a long chain of fragments in fields", chain(4000) { "a { ...F\($0) }" }),
    HostileDocument(
      "two long chains to compare",
      "{ ...F0 ...G0 x: name x: id } "
        + many(2000) {
          "fragment F\($0) on Query { a { ...F\($0 + 1) } } fragment G\($0) on Query { a { ...G\($0 + 1) } }"
        }
        + " fragment F2000 on Query { name } fragment G2000 on Query { name: id }"
    ),
    HostileDocument(
      "a ring of fragments",
      "{ ...F0 } " + many(3000) { "fragment F\($0) on Query { a { ...F\(($0 + 1) % 3000) } }" }
    ),
    HostileDocument(
      "every fragment in every fragment",
      "{ ...F0 } " + many(70) { "fragment F\($0) on Query { \(many(70) { "...F\($0)" }) }" }
    ),
    HostileDocument(
      "sets of fragments beyond count",
      "{ ...A } fragment A on Query { a { ...A ...B } b { ...A } } fragment B on Query { a { ...C0 } b { ...C0 } } "
        + many(24) { "fragment C\($0) on Query { a { ...C\($0 + 1) } b { ...C\($0 + 1) } }" }
        + " fragment C24 on Query { id }"
    ),
    HostileDocument(
      "a large fragment spread many times",
      "{ " + many(1000) { "x\($0): a { ...F }" } + " } fragment F on Query { " + many(2000) { "y\($0): id" } + " }"
    ),
    HostileDocument(
      "operations that share variables",
      many(300) { "query Q\($0)($v: Int) { ...F }" } + " fragment F on Query { "
        + many(2000) { "a\($0): a(x: $v) { id }" } + " }"
    ),
    HostileDocument(
      "variables in thousands",
      "query (" + many(3000) { "$v\($0): Int" } + ") { " + many(3000) { "a\($0): a(x: $v\(2999 - $0)) { id }" } + " }"
    ),
    HostileDocument("unused variables", "query (" + many(6000) { "$v\($0): Int" } + ") { id }"),
    HostileDocument("unknown fields", "{ " + many(14_000) { "unknown\($0)" } + " }"),
    HostileDocument(
      "arguments in two orders",
      "{ a(" + many(3000) { "x\($0): 1" } + ") { id } a(" + many(3000) { "x\(2999 - $0): 1" } + ") { id } }"
    ),
    HostileDocument("directives in thousands", "{ id " + many(7000) { _ in "@skip(if: true)" } + " }"),
    HostileDocument(
      "deep introspection",
      "{ __schema { types { " + many(20) { _ in "fields { type {" } + " name "
        + many(20) { _ in "} }" } + " } } }"
    ),
    HostileDocument(
      "a subscription of fragments",
      "subscription { " + many(5000) { "...F\($0)" } + " } "
        + many(5000) { "fragment F\($0) on Subscription { t }" }
    ),
    HostileDocument(
      "parents that exclude one another",
      "{ node { " + many(4000) { $0 % 2 == 0 ? "... on One { x: f { id } }" : "... on Two { x: g { id } }" } + " } }"
    ),
    HostileDocument(
      "deep values",
      "{ a(in: " + String(repeating: "{in: ", count: 60) + "{a: 1}" + String(repeating: "}", count: 60) + ") { id } }"
    ),
    HostileDocument("deep selections", "{ " + many(62) { _ in "a {" } + " id " + many(62) { _ in "}" } + " }"),
    HostileDocument("deep inline fragments", "{ " + many(62) { _ in "... {" } + " id " + many(62) { _ in "}" } + " }"),
    HostileDocument("conflicts within conflicts", "{ " + nested(5, levels: 4) { "a(x: \($0)) { id }" } + " }"),
    HostileDocument(
      "a conflict beside a long chain of fragments",
      chain(1_500) { "...F\($0)" } + " query Other { x: name x: id }"
    ),
    HostileDocument(
      "conflicts of one long name",
      "{ " + nested(5, levels: 3) { _ in "\(longName): id \(longName): name" } + " }"
    ),
    HostileDocument(
      "sets of fragments with one long name",
      "{ ...A } fragment A on Query { a { ...A ...B } b { ...A } } fragment B on Query { a { ...C0 } b { ...C0 } } "
        + many(24) { "fragment C\($0) on Query { \(longName): id a { ...C\($0 + 1) } b { ...C\($0 + 1) } }" }
        + " fragment C24 on Query { id }"
    ),
    HostileDocument(
      "one long name in many objects",
      "{ " + many(90) { "a\($0): a { ...F0 }" } + " } "
        + many(30) { "fragment F\($0) on Query { \(longName): id a { ...F\($0 + 1) } }" }
        + " fragment F30 on Query { id }"
    ),
    HostileDocument("one name of 200 KB", "{ " + many(20) { _ in String(repeating: "n", count: 10_000) } + " }"),
  ]

  /// Malformed documents, which are rejected by the parser.
  package static let unreadable: [HostileDocument] = ["{", "[", "(", "{a", "{a(b:[", "\"", "#", "@a", "query($a:["].map
  {
    HostileDocument("1 MB of \($0)", String(repeating: $0, count: (1 << 20) / $0.utf8.count))
  }
}

/// Numbered texts, separated by spaces.
private func many(_ count: Int, _ text: (Int) -> String) -> String {
  (0..<count).map(text).joined(separator: " ")
}
