@testable import GraphQL

extension SDLRuleCases {
  static let possibleTypeExtensions = SDLRuleCases(
    .possibleTypeExtensions,
    [
      .init("scalar A"),
      .init(
        """
        scalar A type B interface C union D enum E input F extend scalar A @a extend type B @a extend interface
          C @a extend union D @a extend enum E @a extend input F @a
        """
      ),
      .init(
        """
        extend scalar Money @a extend type Shop @a extend interface Named @a extend union Thing @a extend enum
          Size @a extend input Order @a
        """,
        extending: shop
      ),
      .init(
        """
        extend scalar Unknown @a
        extend type Unknown @a
        extend interface Unknown @a
        extend union Unknown @a
        extend enum Unknown @a
        extend input Unknown @a
        """,
        #"1:15 Cannot extend type "Unknown" because it is not defined."#,
        #"2:13 Cannot extend type "Unknown" because it is not defined."#,
        #"3:18 Cannot extend type "Unknown" because it is not defined."#,
        #"4:14 Cannot extend type "Unknown" because it is not defined."#,
        #"5:13 Cannot extend type "Unknown" because it is not defined."#,
        #"6:14 Cannot extend type "Unknown" because it is not defined."#
      ),
      .init(
        """
        type Known
        extend scalar Knon @a
        extend type Knon @a
        extend interface Knon @a
        extend union Knon @a
        extend enum Knon @a
        extend input Knon @a
        """,
        #"2:15 Cannot extend type "Knon" because it is not defined. Did you mean "Known"?"#,
        #"3:13 Cannot extend type "Knon" because it is not defined. Did you mean "Known"?"#,
        #"4:18 Cannot extend type "Knon" because it is not defined. Did you mean "Known"?"#,
        #"5:14 Cannot extend type "Knon" because it is not defined. Did you mean "Known"?"#,
        #"6:13 Cannot extend type "Knon" because it is not defined. Did you mean "Known"?"#,
        #"7:14 Cannot extend type "Knon" because it is not defined. Did you mean "Known"?"#
      ),
      .init(
        """
        scalar A
        type B
        interface C
        union D
        enum E
        input F
        extend type A @a
        extend interface B @a
        extend union C @a
        extend enum D @a
        extend input E @a
        extend scalar F @a
        """,
        #"1:1 7:1 Cannot extend non-object type "A"."#,
        #"2:1 8:1 Cannot extend non-interface type "B"."#,
        #"3:1 9:1 Cannot extend non-union type "C"."#,
        #"4:1 10:1 Cannot extend non-enum type "D"."#,
        #"5:1 11:1 Cannot extend non-input object type "E"."#,
        #"6:1 12:1 Cannot extend non-scalar type "F"."#
      ),
      .init(
        """
        extend scalar Mony @a
        extend type Shp @a
        extend interface Nmed @a
        extend union Thng @a
        extend enum Siz @a
        extend input Ordr @a
        extend type Wholly @a
        """,
        extending: shop,
        #"1:15 Cannot extend type "Mony" because it is not defined. Did you mean "Money"?"#,
        #"2:13 Cannot extend type "Shp" because it is not defined. Did you mean "Shop"?"#,
        #"3:18 Cannot extend type "Nmed" because it is not defined. Did you mean "Named"?"#,
        #"4:14 Cannot extend type "Thng" because it is not defined. Did you mean "Thing"?"#,
        // Every schema here contains the built-in scalars, so they are suggested too.
        #"5:13 Cannot extend type "Siz" because it is not defined. Did you mean "Size" or "ID"?"#,
        #"6:14 Cannot extend type "Ordr" because it is not defined. Did you mean "Order"?"#,
        #"7:13 Cannot extend type "Wholly" because it is not defined."#
      ),
      .init(
        """
        extend type Money @a
        extend interface Shop @a
        extend union Named @a
        extend enum Thing @a
        extend input Size @a
        extend scalar Order @a
        """,
        extending: shop,
        #"1:1 Cannot extend non-object type "Money"."#,
        #"2:1 Cannot extend non-interface type "Shop"."#,
        #"3:1 Cannot extend non-union type "Named"."#,
        #"4:1 Cannot extend non-enum type "Thing"."#,
        #"5:1 Cannot extend non-input object type "Size"."#,
        #"6:1 Cannot extend non-scalar type "Order"."#
      ),
      .init(
        """
        type New
        extend type New @a
        extend enum New @a
        """,
        extending: shop,
        #"1:1 3:1 Cannot extend non-enum type "New"."#
      ),
    ]
  )
}
