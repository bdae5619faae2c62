import Testing

@testable import GraphQL

/// Each rule separately: documents that it accepts, and documents that it rejects, with each message and location. If
/// graphql-core 3.2.8 has the rule, it reports the same errors, except in the marked cases.
@Suite("Validation, rule by rule")
struct RuleCaseTests {
  @Test func `every rule has cases`() {
    #expect(Set(RuleCases.all.map(\.rule)) == Set(ValidationRule.allCases))
    for cases in RuleCases.all { #expect(!cases.invalid.isEmpty && !cases.valid.isEmpty, "\(cases.rule)") }
  }

  @Test(arguments: RuleCases.all)
  func `accepts what is valid`(cases: RuleCases) throws {
    for text in cases.valid { #expect(try errors(of: cases.rule, in: text) == [], "\(text)") }
  }

  @Test(arguments: RuleCases.all)
  func `reports every error and its locations`(cases: RuleCases) throws {
    for document in cases.invalid {
      #expect(try errors(of: cases.rule, in: document.text) == document.errors, "\(document.text)")
    }
  }

  private func errors(of rule: ValidationRule, in text: String) throws -> [String] {
    let document = try Parser.parse(Source(text))
    var options = ValidationOptions()
    options.rejectsDeprecated = rule == .noDeprecated
    options.allowsIntrospection = rule != .noSchemaIntrospection
    let schema = try rule == .knownOperationTypes ? Self.queriesOnly.get() : Self.schema.get()
    var validation = Validation(document, schema: schema, options: options)
    validation.run()
    return validation.violations.sorted().filter { $0.rule == rule }.map { violation in
      let locations = violation.offsets.map { document.source.location(at: Int($0)) }
      return locations.map { "\($0.line):\($0.column) " }.joined() + violation.message
    }
  }

  /// Has neither mutations nor subscriptions.
  private static let queriesOnly = Result { try SchemaBuilder.build("type Query { film: Film } type Film { id: ID! }") }

  /// Accepts strings only.
  private static let moment = ScalarCoercion { value, _, shown throws(ScalarError) in
    guard case .string = value else { throw ScalarError("Expected value of type \"Moment\", found \(shown()).") }
    return value
  }

  static let schema = Result {
    try SchemaBuilder.build(
      """
      directive @onQuery on QUERY
      directive @onMutation on MUTATION
      directive @onField on FIELD
      directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
      directive @onVariable on VARIABLE_DEFINITION
      directive @onFragment on FRAGMENT_DEFINITION
      directive @once on QUERY | FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION
      directive @tag(name: String) repeatable on QUERY | FIELD | FRAGMENT_DEFINITION
      directive @sized(width: Int!, height: Int!, unit: String = "px", old: Int @deprecated(reason: "Use unit."))
        on FIELD

      interface Entity { id: ID! }
      interface Work implements Entity { id: ID! title(language: Language): String creator: Person }
      interface Loanable { due: Moment borrower: Person }

      type Book implements Entity & Work & Loanable {
        id: ID! title(language: Language): String creator: Person due: Moment borrower: Person
        pages: Int isbn: String isSigned: Boolean isIn(language: Language): Boolean quote(from: Int, to: Int): String
        shelf: String @deprecated(reason: "Use place.") previous: Book editions: [Book]
        related(by: Language @deprecated(reason: "Use kind.")): [Work]
      }
      type Film implements Entity & Work {
        id: ID! title(language: Language): String creator: Person minutes: Int! isbn: Int! editions: [Film!]
        previous: [Film] cast: [Person] rating: Float
      }
      type Person implements Entity { id: ID! name(short: Boolean = false): String! works: [Work!]! friends: [Person] }
      union Item = Book | Film
      union Result = Book | Person
      enum Language { ENGLISH GERMAN FRENCH LATIN @deprecated(reason: "Use another.") }
      scalar Moment
      input BookInput {
        title: String! pages: Int isSigned: Boolean copies: Int! = 1 languages: [Language] notes: [String!]
        previous: BookInput shelf: String @deprecated(reason: "Use place.")
      }
      input Key @oneOf { id: ID isbn: String }

      type Query {
        book(id: ID): Book
        film: Film
        work: Work
        item: Item
        results(first: Int): [Result!]
        person(key: Key): Person
        loanable: Loanable
        accepts(
          int: Int, float: Float, string: String, boolean: Boolean, id: ID, language: Language, list: [Int]
          names: [String], exact: [String!], matrix: [[Int!]], book: BookInput, key: Key, at: Moment
        ): String
        needs(one: Int!, two: String!, three: Int = 3): String
        prefers(one: Int! = 1): String
      }
      type Mutation { add(book: BookInput!): Book, remove(id: ID!): Boolean }
      type Subscription { added: Book, removed(id: ID): ID }
      """,
      scalars: ["Moment": moment]
    )
  }
}
