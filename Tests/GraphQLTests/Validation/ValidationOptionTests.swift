import Testing

@testable import GraphQL

@Suite("Options and limits of validation")
struct ValidationOptionTests {
  private func errors(
    _ text: String,
    _ change: (inout ValidationOptions) -> Void = { _ in }
  ) throws -> [GraphQLError] {
    var options = ValidationOptions()
    change(&options)
    return Validator.validate(try Parser.parse(Source(text)), against: try familySchema.get(), options: options)
  }

  @Test
  func `rejects introspection and suggests no names if introspection is disabled`() throws {
    let text = "{ __schema { queryType { name } } adult { emial } }"
    let found = try errors(text) { $0.allowsIntrospection = false }
    #expect(
      found.map(\.message) == [
        "GraphQL introspection has been disabled, but the requested query contained the field \"__schema\".",
        "GraphQL introspection has been disabled, but the requested query contained the field \"queryType\".",
        "Cannot query field \"emial\" on type \"Adult\".",
      ]
    )
    #expect(try errors("{ __typename adult { __typename } }") { $0.allowsIntrospection = false } == [])
  }

  @Test
  func `reports deprecated elements only if the option is set`() throws {
    let text = "{ child { nick } chores(grade: OLD) { id } }"
    #expect(try errors(text) == [])
    #expect(
      try errors(text) { $0.rejectsDeprecated = true }.map(\.message) == [
        "The field Child.nick is deprecated. No longer supported",
        "The enum value \"Grade.OLD\" is deprecated. Use LOW.",
      ]
    )
  }

  @Test
  func `limits the number of errors and reports that there are more`() throws {
    let text = "{ " + many(150) { "unknown\($0)" } + " }"
    let found = try errors(text) { $0.limits.rootFields = .max }
    #expect(found.count == 101)
    #expect(
      found.last
        == GraphQLError(
          "Too many validation errors, error limit reached. Validation aborted.",
          code: .errorsOmitted
        )
    )
    let all = try errors(text) {
      $0.limits.rootFields = .max
      $0.maximumErrors = 150
    }
    #expect(all.count == 150)
  }

  @Test
  func `truncates names in messages`() throws {
    let name = String(repeating: "n", count: 50_000)
    let message = try #require(try errors("{ \(name) }").first?.message)
    #expect(message.utf8.count < 300)
  }

  struct Limited: CustomTestStringConvertible {
    let name: String
    let text: String
    let code: ErrorCode
    let location: String
    let raise: @Sendable (inout ValidationLimits) -> Void
    var testDescription: String { name }
  }

  static let limited: [Limited] = [
    Limited(
      name: "aliases",
      text: "{ adult { " + many(201) { "a\($0): id" } + " } }",
      code: .tooManyAliases,
      location: "1:1701"
    ) { $0.aliases = 201 },
    Limited(
      name: "depth",
      text: "{ ...F }\nfragment F on Query { adult { " + nested(31, "owner { ... on Adult {", "id", "} }")
        + " } }",
      code: .operationTooDeep,
      location: "1:1"
    ) { $0.depth = 33 },
    Limited(
      name: "root fields",
      text: "{ ...F ...G }\nfragment F on Query { "
        + many(51) { _ in "__typename" } + " }\nfragment G on Query { ... { "
        + many(50) { _ in "__typename" } + " } }",
      code: .tooManyRootFields,
      location: "1:1"
    ) { $0.rootFields = 101 },
    Limited(
      name: "directives",
      text: "{ adult { id " + many(21) { _ in "@note" } + " } }",
      code: .tooManyDirectives,
      location: "1:134"
    ) { $0.directives = 21 },
    Limited(
      name: "fragment spreads",
      text: "{ ...F0 }\n" + many(12) { "fragment F\($0) on Query { ...F\($0 + 1) ...F\($0 + 1) }" }
        + "fragment F12 on Query { adult { id } }",
      code: .tooManyFragmentSpreads,
      location: "1:1"
    ) {
      $0.fragmentSpreads = 10_000
      $0.rootFields = 10_000
    },
    Limited(
      name: "introspection lists",
      text: "{ __schema { types { ...T } } }\n"
        + "fragment T on __Type { fields { type { fields { type { ...U } } } } }\n"
        + "fragment U on __Type { possibleTypes { name } }",
      code: .introspectionTooDeep,
      location: "1:3"
    ) { $0.introspectionLists = 4 },
  ]

  private static func nested(_ count: Int, _ open: String, _ inner: String, _ close: String) -> String {
    var text = inner
    for _ in 0..<count { text = "\(open) \(text) \(close)" }
    return text
  }

  @Test(arguments: limited)
  func `each limit has its error code`(limited: Limited) throws {
    let document = try Parser.parse(Source(limited.text), options: .trusted(depth: 200))
    let schema = try familySchema.get()
    var options = ValidationOptions()
    let found = Validator.validate(document, against: schema, options: options)
    let error = try #require(found.first { $0.code == limited.code }, "\(found)")
    #expect(error.locations.map { "\($0.line):\($0.column)" } == [limited.location])
    limited.raise(&options.limits)
    #expect(Validator.validate(document, against: schema, options: options) == [])
  }

  @Test
  func `accepts the standard introspection query`() throws {
    let text = """
      query IntrospectionQuery {
        __schema {
          description queryType { name kind } mutationType { name } subscriptionType { name }
          types { ...FullType }
          directives { name isRepeatable locations args(includeDeprecated: true) { ...InputValue } }
        }
      }
      fragment FullType on __Type {
        kind name specifiedByURL isOneOf
        fields(includeDeprecated: true) { name args { ...InputValue } type { ...TypeRef } isDeprecated }
        inputFields(includeDeprecated: true) { ...InputValue }
        interfaces { ...TypeRef }
        enumValues(includeDeprecated: true) { name deprecationReason }
        possibleTypes { ...TypeRef }
      }
      fragment InputValue on __InputValue { name type { ...TypeRef } defaultValue }
      fragment TypeRef on __Type {
        kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
        ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } }
      }
      """
    #expect(try errors(text) == [])
  }
}

extension ParseOptions {
  /// For test documents that are deeper than the parser accepts from clients.
  static func trusted(depth: Int) -> ParseOptions {
    ParseOptions(tokens: .max, documentBytes: .max, depth: depth)
  }
}
