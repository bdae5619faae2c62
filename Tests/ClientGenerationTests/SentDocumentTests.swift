import ClientGeneration
import Testing

/// Clients for servers that execute only documents that they know.
@Suite("The documents that clients send")
struct SentDocumentTests {
  private static let schema = """
    union Pet = Cat | Dog
    type Cat { lives: Int }
    type Dog { name: String }
    type Query { pet: Pet }
    """
  private static let text = "query Q { pet { __typename ...C } }\nfragment C on Cat { lives }"
  private static let documents = [(name: "a.graphql", text: "query Q { pet { ...C } }\nfragment C on Cat { lives }")]

  private static var options: GenerationOptions {
    var options = GenerationOptions()
    options.documentID = { "\($0.utf8.count) bytes" }
    return options
  }

  @Test func `have their fragments and the type names that the client needs`() throws {
    let texts = try SentDocuments.texts(of: Self.documents, schema: Self.schema, own: [])
    #expect(texts == [Self.text])
  }

  @Test func `are also those that the client sends by itself, as far as the schema has what they select`() throws {
    let own: [OwnDocument] = [.renewal]
    let other = try SentDocuments.texts(of: Self.documents, schema: Self.schema, own: own)
    #expect(other == [Self.text])
    let schema =
      Self.schema + """
        type Mutation { refreshSession(refreshToken: String!): Refreshed }
        type Refreshed { credentials: Credentials }
        type Credentials { accessToken: String! refreshToken: String! expiresAt: String! }
        """
    let texts = try SentDocuments.texts(of: Self.documents, schema: schema, own: own)
    #expect(texts == [Self.text, OwnDocument.renewal.text])
  }

  @Test func `are named by their ids in TypeScript, if the server knows them`() throws {
    let text = try TypeScriptGenerator.generate(
      schema: Self.schema,
      documents: Self.documents,
      options: Self.options
    )
    #expect(text.contains("QDocument = \"\(Self.text.utf8.count) bytes\" as string as TypedDocument<"))
    #expect(text.contains("const documentMember = \"documentId\";"))
    #expect(text.contains("const renewalDocument = \"\(OwnDocument.renewal.text.utf8.count) bytes\";"))
    let sending = try TypeScriptGenerator.generate(schema: Self.schema, documents: Self.documents)
    #expect(sending.contains("QDocument = `\(Self.text)` as string"))
    #expect(sending.contains("const documentMember = \"query\";"))
    #expect(sending.contains("const renewalDocument = `\(OwnDocument.renewal.text)`;"))
  }

  @Test func `are named by their ids in Swift, if the server knows them`() throws {
    let files = try SwiftGenerator.generate(schema: Self.schema, documents: Self.documents, options: Self.options)
    let query = try #require(files.first { $0.name == "QQuery.swift" })
    #expect(query.text.contains("  public static let documentID: String? = \"\(Self.text.utf8.count) bytes\"\n"))
    let sending = try SwiftGenerator.generate(schema: Self.schema, documents: Self.documents)
    #expect(!sending.contains { $0.text.contains("documentID") })
  }

  @Test func `HearthClient renews tokens by the same document`() throws {
    let client = try #require(ClientSources.swift.first { $0.name == "HearthClient.swift" })
    let lines = client.text.split(separator: "\n").map { $0.drop { $0 == " " } }
    let expected = OwnDocument.renewal.text.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.indices.contains { lines[$0...].starts(with: expected) })
  }

  @Test(arguments: ["Swift", "TypeScript"])
  func `a scalar that the schema lacks cannot have a type`(language: String) {
    let error = #expect(throws: GenerationError.self) {
      var options = GenerationOptions()
      let schema = Self.schema + " scalar Colour"
      if language == "Swift" {
        options.scalars["Color"] = "RGB"
        _ = try SwiftGenerator.generate(schema: schema, documents: Self.documents, options: options)
      } else {
        options.typescriptScalars["Color"] = "string"
        _ = try TypeScriptGenerator.generate(schema: schema, documents: Self.documents, options: options)
      }
    }
    let message = "The schema has no scalar Color, of which `--scalar` sets the type. Did you mean \"Colour\"?"
    #expect(error?.messages == [message])
  }
}
