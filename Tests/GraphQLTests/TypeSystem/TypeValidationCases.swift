/// Schemas by section of the specification, with their errors.
enum TypeValidationCases {
  typealias Case = TypeValidationTests.Case

  static let all =
    schemas + names + objects + implementations + unions + enums + inputObjects + oneOfs + defaults + directives

  static let schemas = [
    Case("3.3.1", "type A { a: Int }", "Query root type must be provided.", needsQuery: false),
    Case("3.3.1", "schema { mutation: A } type A { a: Int }", "Query root type must be provided.", needsQuery: false),
    Case(
      "3.3.1",
      "schema { query: I mutation: E subscription: U } interface I { a: Int } enum E { A } union U = O type O { a: Int }",
      "Query root type must be Object type, it cannot be I.",
      "Mutation root type must be Object type if provided, it cannot be E.",
      "Subscription root type must be Object type if provided, it cannot be U.",
      needsQuery: false
    ),
    Case(
      "3.3.1",
      "schema { query: A mutation: A } type A { a: Int }",
      "All root types must be different, \"A\" type is used as query and mutation root types.",
      needsQuery: false
    ),
    Case(
      "3.3.1",
      "schema { query: A mutation: A subscription: A } type A { a: Int }",
      "All root types must be different, \"A\" type is used as query, mutation, and subscription root types.",
      needsQuery: false
    ),
    Case("3.3.1", "schema { query: A } type A { a: Int } type Mutation { a: A }", needsQuery: false),
  ]

  static func reserved(_ name: String) -> String {
    "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection."
  }

  static let names = [
    Case("3.3", "type __A { __b(__c: Int): Int }", reserved("__A"), reserved("__b"), reserved("__c")),
    Case("3.3", "scalar __A", reserved("__A")),
    Case("3.3", "enum A { __B }", reserved("__B")),
    Case("3.3", "input A { __b: Int }", reserved("__b")),
    Case("3.3", "directive @__a(__b: Int) on FIELD", reserved("__a"), reserved("__b")),
    Case("3.3", "type A_ { _b: Int c__: Int }"),
    Case("3.5", "type Int { a: String }", "Type \"Int\" is built in. It cannot be redefined."),
    Case("4.2", "enum __TypeKind { A }", "Type \"__TypeKind\" is built in. It cannot be redefined."),
    Case("3.5", "scalar Int scalar ID"),
  ]

  static let objects = [
    Case("3.6", "type A", "Type A must define one or more fields."),
    Case("3.6", "type A extend type A { a: Int }"),
    Case("3.7", "interface A", "Type A must define one or more fields."),
    Case(
      "3.6",
      "type A { a: P b: [P!]! } input P { p: Int }",
      "The type of A.a must be Output Type but got: P.",
      "The type of A.b must be Output Type but got: [P!]!."
    ),
    Case(
      "3.6.1",
      "interface A { a(b: A, c: [U], d: S): Int } union U = Query scalar S",
      "The type of A.a(b:) must be Input Type but got: A.",
      "The type of A.a(c:) must be Input Type but got: [U]."
    ),
    Case(
      "3.13.3",
      "type A { a(b: Int! @deprecated, c: Int! = 1 @deprecated, d: Int @deprecated): Int @deprecated }",
      "Required argument A.a(b:) cannot be deprecated."
    ),
  ]

  static let implementations = [
    Case(
      "3.6",
      "type A implements Query { q: Int }",
      "Type A must only implement Interface types, it cannot implement Query."
    ),
    Case("3.6", "type A implements I & I { a: Int } interface I { a: Int }", "Type A can only implement I once."),
    Case(
      "3.7",
      "interface I implements I { a: Int }",
      "Type I cannot implement itself because it would create a circular reference."
    ),
    Case(
      "3.7",
      "interface I implements J { a: Int } interface J implements I { a: Int }",
      "Type I cannot implement J because it would create a circular reference.",
      "Type J cannot implement I because it would create a circular reference."
    ),
    Case(
      "3.6",
      "type A implements J { a: Int } interface J implements I { a: Int } interface I { a: Int }",
      "Type A must implement I because it is implemented by J."
    ),
    Case("3.6", "type A implements J & I { a: Int } interface J implements I { a: Int } interface I { a: Int }"),
    Case(
      "3.6",
      "type A implements I { b: Int } interface I { a: Int }",
      "Interface field I.a expected but A does not provide it."
    ),
    Case(
      "3.6",
      "type A implements I { a: Int } interface I { a: Int! }",
      "Interface field I.a expects type Int! but A.a is type Int."
    ),
    Case(
      "3.6",
      "type A implements I { a: [A] b: Query c: [Int!]! d: V } "
        + "interface I { a: [I!] b: U c: [Int] d: U } union U = Query union V = Query",
      "Interface field I.a expects type [I!] but A.a is type [A].",
      "Interface field I.d expects type U but A.d is type V."
    ),
    Case(
      "3.6",
      "type A implements I { a: A b: J c: [A!]! } interface I { a: I b: I c: [I] } "
        + "interface J implements I { a: I b: I c: [I] }"
    ),
    Case(
      "3.6",
      "type A implements I { a: Int } interface I { a(b: Int): Int }",
      "Interface field argument I.a(b:) expected but A.a does not provide it."
    ),
    Case(
      "3.6",
      "type A implements I { a(b: Int!): Int } interface I { a(b: Int): Int }",
      "Interface field argument I.a(b:) expects type Int but A.a(b:) is type Int!."
    ),
    Case(
      "3.6",
      "type A implements I { a(b: Int, c: Int!, d: Int! = 1): Int } interface I { a: Int }",
      "Object field A.a includes required argument c that is missing from the Interface field I.a."
    ),
    Case(
      "3.6",
      "type A implements I { a: Int @deprecated b: Int } interface I { a: Int b: Int @deprecated }",
      "Interface field I.a is not deprecated, so implementation field A.a must not be deprecated."
    ),
  ]

  static let unions = [
    Case("3.8", "union U", "Union type U must define one or more member types."),
    Case("3.8", "union U = Query | Query", "Union type U can only include type Query once."),
    Case(
      "3.8",
      "union U = Query | I | Int interface I { a: Int }",
      "Union type U can only include Object types, it cannot include I.",
      "Union type U can only include Object types, it cannot include Int."
    ),
    Case("3.8", "union U extend union U = Query"),
  ]

  static let enums = [
    Case("3.9", "enum E", "Enum type E must define one or more values."),
    Case("3.9", "enum E extend enum E { A }"),
  ]

  static let inputObjects = [
    Case("3.10", "input P", "Input Object type P must define one or more fields."),
    Case(
      "3.10",
      "input P { a: Query b: [U]! } union U = Query",
      "The type of P.a must be Input Type but got: Query.",
      "The type of P.b must be Input Type but got: [U]!."
    ),
    Case(
      "3.10",
      "input P { a: Int! @deprecated b: Int! = 1 @deprecated c: Int @deprecated }",
      "Required input field P.a cannot be deprecated."
    ),
    Case("3.10", "input P { a: P b: [P!]! c: P = null }"),
    Case(
      "3.10",
      "input P { a: P! }",
      "Cannot reference Input Object \"P\" within itself through a series of non-null fields: \"a\"."
    ),
    Case(
      "3.10",
      "input P { a: R! } input R { b: S! c: R } input S { d: P! }",
      "Cannot reference Input Object \"P\" within itself through a series of non-null fields: \"a.b.d\"."
    ),
    Case(
      "3.10",
      "input P { a: R! b: P! } input R { c: P! }",
      "Cannot reference Input Object \"P\" within itself through a series of non-null fields: \"a.c\".",
      "Cannot reference Input Object \"P\" within itself through a series of non-null fields: \"b\"."
    ),
  ]

  static let oneOfs = [
    Case(
      "3.10.1",
      "input P @oneOf { a: Int! b: Int = 1 c: Int }",
      "OneOf input field P.a must be nullable.",
      "OneOf input field P.b cannot have a default value."
    ),
    Case("3.10.1", "input P @oneOf { a: P }", uninhabited("P")),
    Case("3.10.1", "input P @oneOf { a: R } input R @oneOf { b: P }", uninhabited("P"), uninhabited("R")),
    Case("3.10.1", "input P @oneOf { a: R } input R { b: P! }", uninhabited("P")),
    Case("3.10.1", "input P @oneOf { a: R } input R @oneOf { b: P c: Int }"),
    Case("3.10.1", "input P @oneOf { a: P b: [P!] }"),
    Case("3.10.1", "input P @oneOf { a: R } input R { b: P }"),
  ]

  static func uninhabited(_ name: String) -> String {
    "OneOf Input Object \(name) must have a field that does not lead back to it, or it has no finite value."
  }

  static let defaults = [
    Case(
      "3.6.1",
      "type A { a(b: Int = 1.5, c: E = X, d: [Int!] = [1, null], e: P = {}): Int } enum E { Y } input P { p: Int! }",
      "A.a(b:) has invalid default value: Int cannot represent non-integer value: 1.5",
      "A.a(c:) has invalid default value: Value \"X\" does not exist in \"E\" enum.",
      "A.a(d:) has invalid default value: Expected value of non-null type \"Int!\" not to be null.",
      "A.a(e:) has invalid default value: Field \"P.p\" of required type \"Int!\" was not provided."
    ),
    Case(
      "3.10",
      "input P { a: Int! = null b: R = {c: 1} } input R { r: Int }",
      "P.a has invalid default value: Expected value of non-null type \"Int!\" not to be null.",
      "P.b has invalid default value: Field \"c\" is not defined by type \"R\"."
    ),
    Case(
      "3.10",
      "input P { a: P = {} }",
      "Invalid circular reference. The default value of Input Object field P.a references itself."
    ),
    Case(
      "3.10",
      "input P { a: [P] = [{a: null}, {}] }",
      "Invalid circular reference. The default value of Input Object field P.a references itself."
    ),
    Case(
      "3.10",
      "input P { a: R = {} } input R { b: P = {} }",
      "Invalid circular reference. The default value of Input Object field P.a references itself via the default values of: R.b."
    ),
    Case("3.10", "input P { a: R = {b: null} } input R { b: P = {a: null} }"),
    Case("3.10", "input P { a: R = {} c: Int = 1 } input R { b: P = {a: {b: null}} }"),
    Case(
      "3.13",
      "directive @a(b: Int = true) on FIELD",
      "@a(b:) has invalid default value: Int cannot represent non-integer value: true"
    ),
    Case("3.10", "input P { a: Query = 1 }", "The type of P.a must be Input Type but got: Query."),
  ]

  static let directives = [
    Case("3.13", "directive @a(b: Query) on FIELD", "The type of @a(b:) must be Input Type but got: Query."),
    Case("3.13", "directive @a(b: Int! @deprecated) on FIELD", "Required argument @a(b:) cannot be deprecated."),
    Case("3.13", "directive @a(b: Int @a) on ARGUMENT_DEFINITION", selfReferring("a")),
    Case(
      "3.13",
      "directive @a(b: Int @c) on ARGUMENT_DEFINITION directive @c(d: Int @a) on ARGUMENT_DEFINITION",
      selfReferring("a"),
      selfReferring("c")
    ),
    Case("3.13", "directive @a(b: E) on ENUM_VALUE enum E { A @a }", selfReferring("a")),
    Case("3.13", "directive @a(b: P) on INPUT_OBJECT input P { p: R } input R @a { r: Int }", selfReferring("a")),
    Case("3.13", "directive @a(b: S) on SCALAR scalar S @a", selfReferring("a")),
    Case("3.13", "directive @a(b: P) on OBJECT input P { p: P } type A @a { a: Int }"),
    Case(
      "3.13",
      "directive @a(b: Int!) on OBJECT type A @a(b: \"1\") { a: Int @deprecated(reason: null) }",
      "Argument @a(b:) has invalid value \"1\": Int cannot represent non-integer value: \"1\"",
      "Argument @deprecated(reason:) has invalid value null: Expected value of non-null type \"String!\" not to be null."
    ),
  ]

  static func selfReferring(_ name: String) -> String {
    "Directive @\(name) cannot reference itself, directly or through what its definition refers to."
  }
}
