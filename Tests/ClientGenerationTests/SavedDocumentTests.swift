import ClientGeneration
import Testing

@Suite("Documents of saved requests")
struct SavedDocumentTests {
  @Test(arguments: [
    ("{ me { name } }", "Screens/My profile", "query MyProfile { me { name } }"),
    ("# Mine\nquery ($a: Int) { me { name } }", "profile-2", "# Mine\nquery Profile2 ($a: Int) { me { name } }"),
    (
      "subscription { told }\nfragment F on Query { me }", "Wörter",
      "subscription WRter { told }\nfragment F on Query { me }"
    ),
    ("mutation{ a }", "2nd", "mutation Request2nd{ a }"),
    ("query Own { me }", "Other", "query Own { me }"),
    ("{ a } query B { b }", "Two", "{ a } query B { b }"),
    ("{ me }", "名前", "{ me }"),
    ("{ me", "Broken", "{ me"),
    (#""Who I am." query { me }"#, "Me", #""Who I am." query Me { me }"#),
    (
      "# One\n\"\"\"\nquery {\n\"\"\"\n# mutation\n,subscription($a: Int) { told }", "Told",
      "# One\n\"\"\"\nquery {\n\"\"\"\n# mutation\n,subscription Told($a: Int) { told }"
    ),
    (#""Mine." query Own { me }"#, "Other", #""Mine." query Own { me }"#),
  ])
  func `an operation without a name gets that of the request`(text: String, request: String, expected: String) {
    #expect(SavedDocument.named([(name: request, text: text)]).map(\.text) == [expected])
  }

  @Test func `requests that would get the same name get that of their collection too`() {
    let named = SavedDocument.named([
      (name: "A/Home", text: "{ a }"), (name: "My b/Home", text: "{ b }"), (name: "B/Other", text: "{ c }"),
      (name: "C/Home", text: "query Own { d }"),
    ])
    #expect(named.map(\.name) == ["A/Home", "My b/Home", "B/Other", "C/Home"])
    #expect(
      named.map(\.text) == ["query AHome { a }", "query MyBHome { b }", "query Other { c }", "query Own { d }"]
    )
  }

  @Test func `names are spelled before words are made of them`() {
    let named = SavedDocument.named([(name: "A/ä", text: "{ a }")]) { $0.replacing("ä", with: "the a") }
    #expect(named.map(\.text) == ["query TheA { a }"])
  }

  private static let schema = "type Query { me: Person } type Person { id: ID! name: String }"

  private func generate(_ documents: String...) throws(GenerationError) -> [String] {
    let named = documents.enumerated().map { (name: "\($0.offset)", text: $0.element) }
    let files = try SwiftGenerator.generate(schema: Self.schema, documents: named, options: GenerationOptions())
    return files.map(\.name).sorted()
  }

  @Test func `fragments that are the same in several documents are one`() throws {
    let files = try generate(
      "query A { me { ...Card } } fragment Card on Person { id name }",
      "query B { me { ...Card } }\nfragment Card on Person {\n  id\n  name\n}"
    )
    #expect(files == ["AQuery.swift", "BQuery.swift", "Card.swift", "PersonID.swift"])
  }

  @Test func `fragments of the same name that differ are an error at their place`() throws {
    let error = #expect(throws: GenerationError.self) {
      try generate(
        "query A { me { ...Card } } fragment Card on Person { id name }",
        "query B { me { ...Card } }\nfragment Card on Person { id }"
      )
    }
    #expect(error?.description == "0:1:37: There can be only one fragment named \"Card\". See 1:2:10.")
  }
}
