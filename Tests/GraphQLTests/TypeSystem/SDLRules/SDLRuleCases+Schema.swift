@testable import GraphQL

extension SDLRuleCases {
  static let loneSchemaDefinition = SDLRuleCases(
    .loneSchemaDefinition,
    [
      .init("type Query { a: Int }"),
      .init("schema { query: A } type A { a: Int }"),
      .init(
        """
        schema { query: A }
        type A { a: Int }
        extend schema { mutation: A }
        """
      ),
      .init(
        """
        schema { query: A }
        type A { a: Int }
        schema { mutation: A }
        schema { subscription: A }
        """,
        "3:1 Must provide only one schema definition.",
        "4:1 Must provide only one schema definition."
      ),
      .init("schema { query: A }", extending: "type A { a: Int }"),
      .init("extend schema { mutation: A }", extending: "schema { query: A } type A { a: Int }"),
      .init("type B { b: Int }", extending: "type Query { a: Int }"),
      .init(
        "schema { mutation: B } type B { b: Int }",
        extending: "type Query { a: Int }",
        "1:1 Cannot define a new schema within a schema extension."
      ),
      .init(
        """
        schema { query: B }
        schema { query: B } type B { b: Int }
        """,
        extending: "schema { query: A } type A { a: Int }",
        "1:1 Cannot define a new schema within a schema extension.",
        "2:1 Cannot define a new schema within a schema extension."
      ),
    ]
  )

  static let uniqueOperationTypes = SDLRuleCases(
    .uniqueOperationTypes,
    [
      .init("type A { a: Int }"),
      .init("schema { query: A mutation: B subscription: C }"),
      .init("schema { query: A } extend schema { mutation: B } extend schema { subscription: C }"),
      .init(
        "extend schema { mutation: B } extend schema { subscription: C }",
        extending: "type A { a: Int } schema { query: A }"
      ),
      .init(
        """
        schema {
          query: A
          mutation: A
          subscription: A
          query: B
          mutation: B
          subscription: B
        }
        """,
        "2:3 5:3 There can be only one query type in schema.",
        "3:3 6:3 There can be only one mutation type in schema.",
        "4:3 7:3 There can be only one subscription type in schema."
      ),
      .init(
        """
        schema { query: A mutation: A subscription: A }
        extend schema { query: B mutation: B subscription: B }
        """,
        "1:10 2:17 There can be only one query type in schema.",
        "1:19 2:26 There can be only one mutation type in schema.",
        "1:31 2:38 There can be only one subscription type in schema."
      ),
      .init(
        """
        schema { query: A }
        extend schema { mutation: A subscription: A }
        extend schema { query: B mutation: B subscription: B }
        """,
        "1:10 3:17 There can be only one query type in schema.",
        "2:17 3:26 There can be only one mutation type in schema.",
        "2:29 3:38 There can be only one subscription type in schema."
      ),
      .init(
        "extend schema { query: B mutation: B subscription: B }",
        extending: "type A { a: Int } schema { query: A mutation: A subscription: A }",
        "1:17 Type for query already defined in the schema. It cannot be redefined.",
        "1:26 Type for mutation already defined in the schema. It cannot be redefined.",
        "1:38 Type for subscription already defined in the schema. It cannot be redefined."
      ),
      .init(
        """
        extend schema { mutation: B mutation: C query: D }
        extend schema { mutation: D }
        """,
        extending: "type A { a: Int } schema { query: A }",
        "1:17 1:29 There can be only one mutation type in schema.",
        "1:17 2:17 There can be only one mutation type in schema.",
        "1:41 Type for query already defined in the schema. It cannot be redefined."
      ),
      .init(
        "schema { query: B }",
        extending: "type Query { a: Int }",
        "1:10 Type for query already defined in the schema. It cannot be redefined."
      ),
    ]
  )
}
