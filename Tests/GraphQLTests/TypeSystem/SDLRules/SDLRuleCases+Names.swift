@testable import GraphQL

extension SDLRuleCases {
  static let uniqueTypeNames = SDLRuleCases(
    .uniqueTypeNames,
    [
      .init("directive @a on FIELD"),
      .init("type A { a: Int } interface B { a: Int } union C = A enum D { A } input E { a: Int } scalar F"),
      .init(
        """
        type A { a: Int } extend type A { b: Int } query A { a } fragment A on A { a } directive @A on FIELD
        """
      ),
      .init("type B { a: Int } extend type A { b: Int }", extending: "type A { a: Int }"),
      .init("type A { a: Int }", extending: "directive @A on SCHEMA"),
      .init(
        """
        type A { a: Int }
        scalar A
        union A = B
        interface A { a: Int }
        enum A { A }
        input A { a: Int }
        type A { b: Int }
        """,
        #"1:6 2:8 There can be only one type named "A"."#,
        #"1:6 3:7 There can be only one type named "A"."#,
        #"1:6 4:11 There can be only one type named "A"."#,
        #"1:6 5:6 There can be only one type named "A"."#,
        #"1:6 6:7 There can be only one type named "A"."#,
        #"1:6 7:6 There can be only one type named "A"."#
      ),
      .init(
        """
        scalar A
        type A { a: Int }
        interface A { a: Int }
        union A = B
        enum A { A }
        input A { a: Int }
        """,
        extending: "type A { a: Int }",
        #"1:8 Type "A" already exists in the schema. It cannot also be defined in this type definition."#,
        #"2:6 Type "A" already exists in the schema. It cannot also be defined in this type definition."#,
        #"3:11 Type "A" already exists in the schema. It cannot also be defined in this type definition."#,
        #"4:7 Type "A" already exists in the schema. It cannot also be defined in this type definition."#,
        #"5:6 Type "A" already exists in the schema. It cannot also be defined in this type definition."#,
        #"6:7 Type "A" already exists in the schema. It cannot also be defined in this type definition."#
      ),
      .init(
        """
        type B { a: Int }
        type B { a: Int }
        type C { a: Int }
        type B { a: Int }
        """,
        #"1:6 2:6 There can be only one type named "B"."#,
        #"1:6 4:6 There can be only one type named "B"."#
      ),
    ]
  )

  static let uniqueEnumValueNames = SDLRuleCases(
    .uniqueEnumValueNames,
    [
      .init("enum A"),
      .init("enum A { ONE }"),
      .init("enum A { ONE TWO } enum B { ONE TWO }"),
      .init("enum A { ONE } extend enum A { TWO }"),
      .init("enum A { ONE TWO ONE }", #"1:10 1:18 Enum value "A.ONE" can only be defined once."#),
      .init(
        """
        enum A { ONE }
        extend enum A { TWO ONE }
        """,
        #"1:10 2:21 Enum value "A.ONE" can only be defined once."#
      ),
      .init(
        """
        enum A
        extend enum A { ONE TWO }
        extend enum A { TWO ONE }
        """,
        #"2:17 3:21 Enum value "A.ONE" can only be defined once."#,
        #"2:21 3:17 Enum value "A.TWO" can only be defined once."#
      ),
      .init(
        "extend enum A { ONE TWO ONE }",
        extending: "enum A",
        #"1:17 1:25 Enum value "A.ONE" can only be defined once."#
      ),
      .init(
        """
        extend enum A { ONE THREE }
        extend enum A { TWO }
        """,
        extending: "enum A { ONE TWO }",
        #"1:17 Enum value "A.ONE" already exists in the schema. It cannot also be defined in this type "#
          + #"extension."#,
        #"2:17 Enum value "A.TWO" already exists in the schema. It cannot also be defined in this type "#
          + #"extension."#
      ),
      .init(
        """
        extend enum A { ONE }
        extend enum A { ONE }
        """,
        extending: "enum A",
        #"1:17 2:17 Enum value "A.ONE" can only be defined once."#
      ),
    ]
  )

  static let uniqueFieldDefinitionNames = SDLRuleCases(
    .uniqueFieldDefinitionNames,
    [
      .init("type A interface B input C"),
      .init("type A { a: Int } interface B { a: Int } input C { a: Int }"),
      .init("type A { a: Int b: Int } extend type A { c: Int }"),
      .init(
        "extend type A { a: Int } extend interface B { a: Int } extend input C { a: Int }",
        extending: "type A interface B input C"
      ),
      .init(
        """
        type A { a: Int b: Int a: String }
        interface B { a: Int b: Int a: Int }
        input C { a: Int b: Int a: Int }
        """,
        #"1:10 1:24 Field "A.a" can only be defined once."#,
        #"2:15 2:29 Field "B.a" can only be defined once."#,
        #"3:11 3:25 Field "C.a" can only be defined once."#
      ),
      .init(
        """
        type A { a: Int }
        extend type A { b: Int a: Int }
        interface B { a: Int }
        extend interface B { a: Int }
        input C { a: Int }
        extend input C { a: Int }
        """,
        #"1:10 2:24 Field "A.a" can only be defined once."#,
        #"3:15 4:22 Field "B.a" can only be defined once."#,
        #"5:11 6:18 Field "C.a" can only be defined once."#
      ),
      .init(
        """
        type A
        extend type A { a: Int b: Int a: Int }
        extend type A { b: Int }
        """,
        #"2:17 2:31 Field "A.a" can only be defined once."#,
        #"2:24 3:17 Field "A.b" can only be defined once."#
      ),
      .init(
        """
        extend type A { a: Int b: Int }
        extend interface B { a: Int }
        extend input C { a: Int }
        """,
        extending: "type A { a: Int } interface B { a: Int } input C { a: Int }",
        #"1:17 Field "A.a" already exists in the schema. It cannot also be defined in this type extension."#,
        #"2:22 Field "B.a" already exists in the schema. It cannot also be defined in this type extension."#,
        #"3:18 Field "C.a" already exists in the schema. It cannot also be defined in this type extension."#
      ),
      .init(
        """
        extend type A { b: Int }
        extend type A { b: Int }
        """,
        extending: "type A { a: Int }",
        #"1:17 2:17 Field "A.b" can only be defined once."#
      ),
      .init(
        """
        interface B
        extend interface B { a: Int a: Int }
        input C
        extend input C { a: Int a: Int }
        """,
        #"2:22 2:29 Field "B.a" can only be defined once."#,
        #"4:18 4:25 Field "C.a" can only be defined once."#
      ),
      .init(
        "extend input C { b: Int b: Int a: Int }",
        extending: "input C { a: Int }",
        #"1:18 1:25 Field "C.b" can only be defined once."#,
        #"1:32 Field "C.a" already exists in the schema. It cannot also be defined in this type extension."#
      ),
    ]
  )

  static let uniqueArgumentDefinitionNames = SDLRuleCases(
    .uniqueArgumentDefinitionNames,
    [
      .init(
        """
        type A { a: Int b(x: Int): Int } interface B { a(x: Int, y: Int): Int } directive @c on FIELD directive
          @d(x: Int) on FIELD
        """
      ),
      .init("type A { a(x: Int): Int } extend type A { b(x: Int): Int }"),
      .init(
        """
        type A { a(x: Int, y: Int, x: Int): Int }
        extend type A { b(y: Int, y: Int): Int }
        """,
        #"1:12 1:28 Argument "A.a(x:)" can only be defined once."#,
        #"2:19 2:27 Argument "A.b(y:)" can only be defined once."#
      ),
      .init(
        """
        interface B { a(x: Int, x: Int, y: Int, x: Int): Int }
        extend interface B { b(y: Int, y: Int): Int c(z: Int): Int }
        """,
        #"1:17 1:25 1:41 Argument "B.a(x:)" can only be defined once."#,
        #"2:24 2:32 Argument "B.b(y:)" can only be defined once."#
      ),
      .init(
        "directive @c(x: Int, y: Int, x: String) on FIELD",
        #"1:14 1:30 Argument "@c(x:)" can only be defined once."#
      ),
    ]
  )

  static let uniqueDirectiveNames = SDLRuleCases(
    .uniqueDirectiveNames,
    [
      .init("type a { a: Int }"),
      .init("directive @a on FIELD"),
      .init("directive @a on FIELD directive @b on FIELD directive @A on FIELD"),
      .init("query a { a } fragment a on A { a } directive @a on FIELD"),
      .init("directive @a on FIELD", extending: "type a { a: Int }"),
      .init("directive @b on FIELD", extending: "directive @a on FIELD"),
      .init(
        """
        directive @a on FIELD
        directive @a on SCHEMA
        """,
        #"1:12 2:12 There can be only one directive named "@a"."#
      ),
      .init(
        """
        directive @a on FIELD
        directive @a on SCHEMA
        """,
        extending: "directive @a on FIELD",
        #"1:12 Directive "@a" already exists in the schema. It cannot be redefined."#,
        #"2:12 Directive "@a" already exists in the schema. It cannot be redefined."#
      ),
      .init(
        """
        directive @a on FIELD
        directive @b on FIELD
        directive @a on SCHEMA
        directive @a on SCHEMA
        """,
        #"1:12 3:12 There can be only one directive named "@a"."#,
        #"1:12 4:12 There can be only one directive named "@a"."#
      ),
      .init(
        "directive @skip on FIELD",
        extending: shop,
        #"1:12 Directive "@skip" already exists in the schema. It cannot be redefined."#
      ),
      .init("directive @skip on FIELD"),
    ]
  )

  static let knownTypeNames = SDLRuleCases(
    .knownTypeNames,
    [
      .init(
        """
        type A { a: B b: [C!]! c(d: D): Int } interface B { a: ID } enum C { A } scalar D union U = A directive
          @a(b: D) on FIELD
        """
      ),
      .init("type B { a: A } extend type A { b: B }", extending: "type A { a: Int }"),
      .init("type A implements I { a: String b: Float c: Boolean } interface I { a: String }"),
      .init(
        """
        type Alpha { a: Alpah b(c: Bta): [Gama!] }
        interface Beta implements Alfa { a: Int }
        union Gamma = Alpa | Xylophone
        input Delta { a: Dlta }
        directive @a(b: Epsilon) on FIELD
        schema { query: Alph mutation: Mutation }
        """,
        #"1:17 Unknown type "Alpah". Did you mean "Alpha" or "Float"?"#,
        #"1:28 Unknown type "Bta". Did you mean "Beta"?"#,
        #"1:35 Unknown type "Gama". Did you mean "Gamma"?"#,
        #"2:27 Unknown type "Alfa". Did you mean "Alpha"?"#,
        #"3:15 Unknown type "Alpa". Did you mean "Alpha"?"#,
        #"3:22 Unknown type "Xylophone"."#,
        #"4:18 Unknown type "Dlta". Did you mean "Delta" or "Beta"?"#,
        #"5:17 Unknown type "Epsilon"."#,
        #"6:17 Unknown type "Alph". Did you mean "Alpha"?"#,
        #"6:32 Unknown type "Mutation"."#
      ),
      .init(
        """
        extend type A implements Naemd { a: Alp }
        extend interface B { b: Alp }
        extend union C = Alp
        extend input D { d: Alp }
        extend schema { query: Alp }
        type Alpha { a: Int }
        type Alps { a: Int }
        """,
        #"1:26 Unknown type "Naemd"."#,
        #"1:37 Unknown type "Alp". Did you mean "Alps" or "Alpha"?"#,
        #"2:25 Unknown type "Alp". Did you mean "Alps" or "Alpha"?"#,
        #"3:18 Unknown type "Alp". Did you mean "Alps" or "Alpha"?"#,
        #"4:21 Unknown type "Alp". Did you mean "Alps" or "Alpha"?"#,
        #"5:24 Unknown type "Alp". Did you mean "Alps" or "Alpha"?"#
      ),
      .init(
        "type B { a: Alp b: Alpz c: Intt }",
        extending: "type Alpha { a: Int } type Alps { a: Int }",
        #"1:13 Unknown type "Alp". Did you mean "Alps" or "Alpha"?"#,
        #"1:20 Unknown type "Alpz". Did you mean "Alps" or "Alpha"?"#,
        #"1:28 Unknown type "Intt". Did you mean "Int"?"#
      ),
      .init(
        """
        type Node1 { a: Node }
        type Node2 { a: Nod2 }
        type Node10 { a: Node3 }
        """,
        #"1:17 Unknown type "Node". Did you mean "Node1", "Node2", or "Node10"?"#,
        #"2:17 Unknown type "Nod2". Did you mean "Node2" or "Node1"?"#,
        #"3:18 Unknown type "Node3". Did you mean "Node1", "Node2", or "Node10"?"#
      ),
      .init(
        "type A { a: __Typ b: Strng c: Bool }",
        #"1:13 Unknown type "__Typ". Did you mean "__Type"?"#,
        #"1:22 Unknown type "Strng". Did you mean "String"?"#,
        #"1:31 Unknown type "Bool"."#
      ),
    ]
  )
}
