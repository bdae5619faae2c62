@testable import GraphQL

extension RuleCases {
  static let knownDirectives = RuleCases(
    .knownDirectives,
    valid: [
      "{ film { id } }",
      """
      query ($a: Boolean! @onVariable) @onQuery { film @onField @include(if: $a) { id } ...F @skip(if: $a)
        ... @once { film { id } } } fragment F on Query @onFragment { film { id } }
      """,
      "mutation @onMutation { remove(id: 1) }",
    ],
    invalid: [
      .init("{ film @unknown { id } }", #"1:8 Unknown directive "@unknown"."#),
      .init(
        "{ film @unknown { id @other } ... @third { book { id } } }",
        #"1:8 Unknown directive "@unknown"."#,
        #"1:22 Unknown directive "@other"."#,
        #"1:35 Unknown directive "@third"."#
      ),
      .init(
        """
        query ($a: Int @onField) @onField { film @onQuery { id ...F @onQuery ... @onVariable { id } } }
        fragment F on Film @onField { id }
        """,
        #"1:16 Directive "@onField" may not be used on VARIABLE_DEFINITION."#,
        #"1:26 Directive "@onField" may not be used on QUERY."#,
        #"1:42 Directive "@onQuery" may not be used on FIELD."#,
        #"1:61 Directive "@onQuery" may not be used on FRAGMENT_SPREAD."#,
        #"1:74 Directive "@onVariable" may not be used on INLINE_FRAGMENT."#,
        #"2:20 Directive "@onField" may not be used on FRAGMENT_DEFINITION."#
      ),
      .init(
        "mutation @onQuery { remove(id: 1) @onMutation }",
        #"1:10 Directive "@onQuery" may not be used on MUTATION."#,
        #"1:35 Directive "@onMutation" may not be used on FIELD."#
      ),
      .init(
        "subscription @onQuery { added { id @onVariable } }",
        #"1:14 Directive "@onQuery" may not be used on SUBSCRIPTION."#,
        #"1:36 Directive "@onVariable" may not be used on FIELD."#
      ),
      .init(
        "query @include(if: true) { film @deprecated { id } }",
        #"1:7 Directive "@include" may not be used on QUERY."#,
        #"1:33 Directive "@deprecated" may not be used on FIELD."#
      ),
      .init(
        "query ($a: Int @skip(if: true)) { film @onFragment { id } }",
        #"1:16 Directive "@skip" may not be used on VARIABLE_DEFINITION."#,
        #"1:40 Directive "@onFragment" may not be used on FIELD."#
      ),
    ]
  )

  static let uniqueDirectivesPerLocation = RuleCases(
    .uniqueDirectivesPerLocation,
    valid: [
      "fragment F on Film { id minutes }",
      "fragment F on Film @once { id @once }",
      "fragment F on Film @once { id @once minutes @once }",
      #"fragment F on Film @tag @tag { id @tag @tag(name: "x") }"#,
      "query @once { film @once { ...F @once ... @once { id } } }",
      "fragment F on Film { id @unknown @unknown }",
      "fragment F on Film { id @onField @once }",
    ],
    invalid: [
      .init(
        "fragment F on Film { id @once @once }",
        #"1:25 1:31 The directive "@once" can only be used once at this location."#
      ),
      .init(
        "fragment F on Film { id @once @once @once }",
        #"1:25 1:31 The directive "@once" can only be used once at this location."#,
        #"1:25 1:37 The directive "@once" can only be used once at this location."#
      ),
      .init(
        "fragment F on Film { id @once @onField @once @onField }",
        #"1:25 1:40 The directive "@once" can only be used once at this location."#,
        #"1:31 1:46 The directive "@onField" can only be used once at this location."#
      ),
      .init(
        """
        fragment F on Film @onFragment @onFragment {
          id @once @once
          minutes @skip(if: true) @tag @skip(if: false)
        }
        """,
        #"1:20 1:32 The directive "@onFragment" can only be used once at this location."#,
        #"2:6 2:12 The directive "@once" can only be used once at this location."#,
        #"3:11 3:32 The directive "@skip" can only be used once at this location."#
      ),
      .init(
        "query @once @once { ...F @once @once }",
        #"1:7 1:13 The directive "@once" can only be used once at this location."#,
        #"1:26 1:32 The directive "@once" can only be used once at this location."#
      ),
      .init(
        "query ($a: Int @onVariable @onVariable) { film { id } }",
        #"1:16 1:28 The directive "@onVariable" can only be used once at this location."#
      ),
    ]
  )
}
