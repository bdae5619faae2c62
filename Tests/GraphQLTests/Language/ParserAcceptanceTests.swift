import Testing

@testable import GraphQL

/// Documents with every form that the grammar allows. Each is parsed, and printing preserves its contents.
@Suite("Parser, accepted documents")
struct ParserAcceptanceTests {
  @Test(arguments: executable + typeSystem)
  func `are parsed, printed and parsed again`(text: String) throws {
    let document = try Parser.parse(Source(text))
    let printed = Printer.print(document)
    let again = try Parser.parse(Source(printed))
    #expect(again.nodes.map(\.kind) == document.nodes.map(\.kind))
    #expect(Printer.print(again) == printed)
  }

  static let executable = [
    "{ a }", "query { a { b } }", "query { a, b }", "mutation { a }", "subscription { a }", "mutation M { a }",
    "subscription S { a }", "{\n  a(b: 4) {\n    c,\n    d\n  }\n}", #"{ a(b: "c") }"#,
    "{ a(b: { c: { d: [ $e ] } }) }", "query Q($a: Boolean = false @b) { c }", "query ($a: A) @b { c, d }",
    "query ($a: A = {b: 1} @c(d: true) @e) { f }", "# A comment with a ਊ character.\n{ a(b: \"also a ਊ one\") }",
    "{a(b:false c:false){d}}", "{a(first:false second:false third:true fourth:true fifth:\"long enough to wrap\"){b}}",
    // Keywords as names, wherever the grammar allows them.
    "query on { ...a ... on on { on } } fragment a on on { on }",
    "query fragment { ...fragment ... on fragment { fragment } } fragment fragment on fragment { fragment }",
    "query query { ...query ... on query { query } } fragment query on query { query }",
    "query mutation { ...mutation ... on mutation { mutation(mutation: $mutation) @mutation } }",
    "query subscription { ...subscription ... on subscription { subscription } }",
    "query true { ...true ... on true { true(true: true) @true(true: true) } }",
    "query false { ...false ... on false { false(false: false) @false(false: false) } }",
    "query null { ...null ... on null { null(null: null) } }", "{ type: input(enum: UNION) }",
  ]

  static let typeSystem = [
    "type A { b: C }", "\"D\"\ntype A { b: C! }", "\"\"\"\nD\n\"\"\"\n# A comment between them.\ntype A { b: C }",
    "\"D\" schema { query: A }", "extend type A { b: C }", "extend type A implements B",
    "extend interface A implements B", "extend type A implements B\nextend type A implements C",
    "extend interface A implements B\nextend interface A implements C", "extend schema { mutation: A }",
    "extend schema @a", "extend scalar A @b", "extend union A = B", "extend enum A { B }", "extend input A { b: C }",
    "interface A implements B { c: D }", "type A implements B { c: D }", "type A implements B & C { d: E }",
    "interface A implements B & C { d: E }", "type A implements & B & C { d: E }",
    "interface A implements & B & C { d: E }", "enum A { B }", "enum A { B, C @d }", "type A", "interface A", "enum A",
    "input A", "union A", "type A { b(c: Boolean): D }", "type A { b(c: Boolean = true): D }",
    "type A { b(c: [String]): D }", "type A { b(c: Boolean, d: Int): E }", "union A = B", "union A = B | C",
    "union A = | B | C", "scalar A", "input A { b: C = {d: [E, 1.5e3]} }", "directive @a on OBJECT | INTERFACE",
    "directive @a repeatable on | OBJECT | INTERFACE", "directive @a(b: C = 1 @d) on VARIABLE_DEFINITION",
    "type type implements interface & union { input(enum: scalar): schema }",
  ]
}
