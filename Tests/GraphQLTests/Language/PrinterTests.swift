import Testing

@testable import GraphQL

@Suite("Printer")
struct PrinterTests {
  @Test(arguments: ["kitchen-sink.graphql", "schema-kitchen-sink.graphql"])
  func `every printed production parses to an equal document and prints the same`(name: String) throws {
    let document = try Parser.parse(testDocument(name))
    let printed = Printer.print(document)
    let again = try Parser.parse(Source(printed))
    #expect(shape(again) == shape(document))
    #expect(Printer.print(again) == printed)
  }

  @Test(arguments: [
    ("query { id, name }", "{\n  id\n  name\n}"),
    ("mutation { id }", "mutation {\n  id\n}"),
    ("query ($a: T) @d { id }", "query ($a: T) @d {\n  id\n}"),
    ("query Q($a:T={b:1}@c @d) {x}", "query Q($a: T = {b: 1} @c @d) {\n  x\n}"),
    (#""D" query { a }"#, "\"D\"\nquery {\n  a\n}"),
    (#""""D""" fragment A on B @c { d }"#, "\"\"\"D\"\"\"\nfragment A on B @c {\n  d\n}"),
    (#"query ("v" $a: A $b: B) { c }"#, "query (\n\"v\"\n$a: A\n$b: B\n) {\n  c\n}"),
    (
      "{a:b(c:[1 2],d:{e:$f})@g(h:null){...i@j ...on K{l}...@m{n}}}",
      """
      {
        a: b(c: [1, 2], d: {e: $f}) @g(h: null) {
          ...i @j
          ... on K {
            l
          }
          ... @m {
            n
          }
        }
      }
      """
    ),
    (
      "{trip(wheelchair:false arriveBy:false){dateTime}}",
      """
      {
        trip(wheelchair: false, arriveBy: false) {
          dateTime
        }
      }
      """
    ),
    (
      "{trip(wheelchair:false arriveBy:false includePlannedCancellations:true transitDistanceReluctance:2000){a}}",
      """
      {
        trip(
          wheelchair: false
          arriveBy: false
          includePlannedCancellations: true
          transitDistanceReluctance: 2000
        ) {
          a
        }
      }
      """
    ),
    (#"{ a(b: """c"# + "\n" + #"d""") }"#, "{\n  a(b: \"\"\"\n  c\n  d\n  \"\"\")\n}"),
    (
      "schema@a{query:Q mutation:M} extend schema{subscription:S}",
      """
      schema @a {
        query: Q
        mutation: M
      }

      extend schema {
        subscription: S
      }
      """
    ),
    (
      #"type A implements&B&C@d{"e"f(g:Int=1 h:[I!]!):J@k l(""# + "\"\"m\"\"\"" + #" n:O):P}"#,
      """
      type A implements B & C @d {
        "e"
        f(g: Int = 1, h: [I!]!): J @k
        l(
          \"""m\"""
          n: O
        ): P
      }
      """
    ),
    (
      "union A@b=|C|D extend union A=E enum F{G@h I}input J{k:L=[M]@n}scalar O@p(q:1)interface R extend type S@t",
      """
      union A @b = C | D

      extend union A = E

      enum F {
        G @h
        I
      }

      input J {
        k: L = [M] @n
      }

      scalar O @p(q: 1)

      interface R

      extend type S @t
      """
    ),
    (
      #"directive@a("b"c:D)repeatable on|FIELD|QUERY directive@e(f:G h:I)on ENUM"#,
      """
      directive @a(
        "b"
        c: D
      ) repeatable on FIELD | QUERY

      directive @e(f: G, h: I) on ENUM
      """
    ),
  ])
  func `formats documents like graphql-js`(text: String, expected: String) throws {
    #expect(Printer.print(try Parser.parse(Source(text))) == expected)
  }

  @Test func `measures a line in UTF-16 code units`() throws {
    // 80 units: "f(a: " and ")" around a string of 74 with its quotes.
    for (text, isOneLine) in [
      (String(repeating: "🏠", count: 36), true), (String(repeating: "🏠", count: 36) + "x", false),
    ] {
      let printed = Printer.print(try Parser.parse(Source("{ f(a: \"\(text)\") }")))
      #expect(printed.contains("(\n") == !isOneLine)
    }
  }

  @Test func `prints a single node`() throws {
    let document = try Parser.parse(Source("query ($a: [ A ! ]) { b }"))
    let type = try #require(document.type(of: 2))
    #expect(Printer.print(type, of: document) == "[A!]")
  }
}
