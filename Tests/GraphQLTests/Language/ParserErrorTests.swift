import Testing

@testable import GraphQL

@Suite("Parser errors")
struct ParserErrorTests {
  @Test(
    arguments: [
      ("", #"Unexpected <EOF>."#, 1, 1),
      ("# only a comment", #"Unexpected <EOF>."#, 1, 17),
      ("{}", #"Expected Name, found "}"."#, 1, 2),
      ("{ a(", #"Expected Name, found <EOF>."#, 1, 5),
      ("{ a() }", #"Expected Name, found ")"."#, 1, 5),
      ("{ a(b) }", #"Expected ":", found ")"."#, 1, 6),
      ("{ a(b:) }", #"Unexpected ")"."#, 1, 7),
      ("{ a(b: c", #"Expected Name, found <EOF>."#, 1, 9),
      ("{ a(b: [1 }", #"Unexpected "}"."#, 1, 11),
      ("{ a(b: {c}) }", #"Expected ":", found "}"."#, 1, 10),
      ("{ a(b: $) }", #"Expected Name, found ")"."#, 1, 9),
      ("{ a: }", #"Expected Name, found "}"."#, 1, 6),
      ("{ a: b: c }", #"Expected Name, found ":"."#, 1, 7),
      ("{ a @ }", #"Expected Name, found "}"."#, 1, 7),
      ("{ ... on }", #"Expected Name, found "}"."#, 1, 10),
      ("{ ... }", #"Expected "{", found "}"."#, 1, 7),
      ("{ a } }", #"Unexpected "}"."#, 1, 7),
      ("{ a } 1.5", #"Unexpected Float "1.5"."#, 1, 7),
      ("query ($a) { b }", #"Expected ":", found ")"."#, 1, 10),
      ("query () { b }", #"Expected "$", found ")"."#, 1, 8),
      ("query ($a: ) { b }", #"Expected Name, found ")"."#, 1, 12),
      ("query ($a: [Int) { b }", #"Expected "]", found ")"."#, 1, 16),
      ("query ($a: Int!!) { b }", #"Expected "$", found "!"."#, 1, 16),
      ("query ($a: Int = $b) { c }", #"Unexpected variable "$b" in constant value."#, 1, 18),
      ("query ($a: Int = $) { c }", #"Unexpected "$"."#, 1, 18),
      ("query ($a: Int @b(c: $d)) { e }", #"Unexpected variable "$d" in constant value."#, 1, 22),
      ("query Q ", #"Expected "{", found <EOF>."#, 1, 9),
      ("fragment a", #"Expected "on", found <EOF>."#, 1, 11),
      ("fragment a($b: Int) on C { d }", #"Expected "on", found "("."#, 1, 11),
      (#""D" { a }"#, "Unexpected description, descriptions are not supported on shorthand queries.", 1, 1),
      (#""D" extend type A @b"#, "Unexpected description, only GraphQL definitions support descriptions.", 1, 1),
      (#""D" unknown"#, "Unexpected description, only GraphQL definitions support descriptions.", 1, 1),
      (#""D" "E" type A"#, #"Unexpected String "E"."#, 1, 5),
      ("extend", "Unexpected <EOF>.", 1, 7),
      ("extend query { a }", #"Unexpected Name "query"."#, 1, 8),
      ("extend type A {}", #"Expected Name, found "}"."#, 1, 16),
      ("extend directive @a on FIELD", #"Unexpected Name "directive"."#, 1, 8),
      ("schema { query: A", #"Expected Name, found <EOF>."#, 1, 18),
      ("schema", #"Expected "{", found <EOF>."#, 1, 7),
      ("schema { fragment: A }", #"Unexpected Name "fragment"."#, 1, 10),
      ("type A {}", #"Expected Name, found "}"."#, 1, 9),
      ("type A { b }", #"Expected ":", found "}"."#, 1, 12),
      ("type A { b(): C }", #"Expected Name, found ")"."#, 1, 12),
      ("type A implements {}", #"Expected Name, found "{"."#, 1, 19),
      ("type A implements B C { d: E }", #"Unexpected Name "C"."#, 1, 21),
      ("type A @b(c: $d)", #"Unexpected variable "$d" in constant value."#, 1, 14),
      ("union A =", "Expected Name, found <EOF>.", 1, 10),
      ("enum A {}", #"Expected Name, found "}"."#, 1, 9),
      ("input A { b(c: D): E }", #"Expected ":", found "("."#, 1, 12),
      ("directive a on FIELD", #"Expected "@", found Name "a"."#, 1, 11),
      ("directive @a FIELD", #"Expected "on", found Name "FIELD"."#, 1, 14),
      ("directive @a repeatable repeatable on FIELD", #"Expected "on", found Name "repeatable"."#, 1, 25),
      ("directive @a on field", #"Unexpected Name "field"."#, 1, 17),
      ("directive @a on FIELD |", "Expected Name, found <EOF>.", 1, 24),
      ("{", "Expected Name, found <EOF>.", 1, 2),
      ("...", #"Unexpected "..."."#, 1, 1),
      ("query", #"Expected "{", found <EOF>."#, 1, 6),
      ("unknown A { b }", #"Unexpected Name "unknown"."#, 1, 1),
      ("{ a: {} }", #"Expected Name, found "{"."#, 1, 6),
      (#"{ """#, #"Expected Name, found String ""."#, 1, 3),
      ("{ ...F }\nfragment F Film", #"Expected "on", found Name "Film"."#, 2, 12),
      ("fragment on on Film { a }", #"Unexpected Name "on"."#, 1, 10),
      ("query ($a: A = {b: [1, {c: $d}]}) { e }", #"Unexpected variable "$d" in constant value."#, 1, 28),
      ("enum A { B true }", #"Name "true" is reserved and cannot be used for an enum value."#, 1, 12),
      ("enum A { B false }", #"Name "false" is reserved and cannot be used for an enum value."#, 1, 12),
      ("extend enum A { null }", #"Name "null" is reserved and cannot be used for an enum value."#, 1, 17),
      (#""D" 1"#, #"Unexpected Int "1"."#, 1, 5),
      (
        #""D" extend interface A { b: C }"#, "Unexpected description, only GraphQL definitions support descriptions.",
        1,
        1
      ),
      (#"extend "D" type A { b: C }"#, #"Unexpected String "D"."#, 1, 8),
      (#"extend "D" interface A { b: C }"#, #"Unexpected String "D"."#, 1, 8),
      ("extend scalar A", "Unexpected <EOF>.", 1, 16),
      ("extend type A", "Unexpected <EOF>.", 1, 14),
      ("extend interface A", "Unexpected <EOF>.", 1, 19),
      ("extend union A", "Unexpected <EOF>.", 1, 15),
      ("extend enum A", "Unexpected <EOF>.", 1, 14),
      ("extend input A", "Unexpected <EOF>.", 1, 15),
      ("extend schema", "Unexpected <EOF>.", 1, 14),
      ("extend schema { other: A }", #"Unexpected Name "other"."#, 1, 17),
      ("union A = |", "Expected Name, found <EOF>.", 1, 12),
      ("union A = || B", #"Expected Name, found "|"."#, 1, 12),
      ("union A = B || C", #"Expected Name, found "|"."#, 1, 14),
      ("union A = | B |", "Expected Name, found <EOF>.", 1, 16),
      ("directive @a on FIELD | NOWHERE", #"Unexpected Name "NOWHERE"."#, 1, 25),
      ("{ a(b: \"\"\"c\n d\"\"\" 1) }", "Expected Name, found Int \"1\".", 2, 7),
      (#"{ a "\u{41}\n" }"#, "Expected Name, found String \"A\n\".", 1, 5),
      ("{ a \"\"\"\n  b\n\"\"\" }", "Expected Name, found BlockString \"b\".", 1, 5),
    ] as [(String, String, Int, Int)]
  )
  func `have a message and a location`(text: String, message: String, line: Int, column: Int) {
    let error = failure { () throws(GraphQLError) in try Parser.parse(Source(text)) }
    let location = SourceLocation(line: line, column: column)
    #expect(error == GraphQLError("Syntax Error: \(message)", at: [location], code: .parseFailed))
  }

  @Test func `messages truncate long tokens`() {
    let error = failure { () throws(GraphQLError) in
      try Parser.parse(Source("{ a \"\(String(repeating: "x", count: 10_000))\" }"))
    }
    #expect(error?.message == "Syntax Error: Expected Name, found String \"\(String(repeating: "x", count: 100))…\".")
  }

  @Test func `messages truncate a token of one long character`() {
    let accents = String(repeating: "\u{301}", count: 10_000)
    let error = failure { () throws(GraphQLError) in try Parser.parse(Source("{ a \"e\(accents)\" }")) }
    let shown = "e" + String(repeating: "\u{301}", count: 99)
    #expect(error?.message == "Syntax Error: Expected Name, found String \"\(shown)…\".")
  }
}
