extension RuleTests {
  static let invalidDocuments: [InvalidDocument] = [
    // ExecutableDefinitions
    .init(
      "{ adult { id } }\ntype T { a: Int }\nextend schema @mark",
      "2:1 The \"T\" definition is not executable.",
      "3:1 The schema definition is not executable."
    ),
    // UniqueOperationNames, LoneAnonymousOperation, UniqueFragmentNames
    .init(
      "query A { adult { id } }\nmutation A { remove(ids: []) }",
      "1:7 2:10 There can be only one operation named \"A\"."
    ),
    .init(
      "{ adult { id } }\nquery A { adult { id } }",
      "1:1 This anonymous operation must be the only defined operation."
    ),
    .init(
      "{ adult { ...F } }\nfragment F on Adult { id }\nfragment F on Adult { id }",
      "2:10 3:10 There can be only one fragment named \"F\"."
    ),
    // SingleFieldSubscriptions
    .init(
      "subscription S {\n  changed { id }\n  removed\n  ...F\n}\nfragment F on Subscription { x: removed }",
      "3:3 6:30 Subscription \"S\" must select only one top level field."
    ),
    .init(
      "subscription { __typename }",
      "1:16 Anonymous Subscription must not select an introspection top level field."
    ),
    .init(
      "subscription ($a: Boolean!) { changed @skip(if: $a) { id } ... @include(if: true) { changed { id } } }",
      "1:39 1:64 Anonymous Subscription must not use `@skip` or `@include` directives in the top level selection."
    ),
    // KnownTypeNames, FragmentsOnCompositeTypes, VariablesAreInputTypes
    .init(
      "query ($a: Nowhere, $b: [Grad!]) { adult { ... on Childs { id } } check(int: $a, string: $b) }",
      "1:12 Unknown type \"Nowhere\". Did you mean \"Where\"?",
      "1:26 Unknown type \"Grad\". Did you mean \"Grade\"?",
      "1:51 Unknown type \"Childs\". Did you mean \"Child\"?"
    ),
    .init(
      "{ adult { ... on Grade { id } ...F } }\nfragment F on Moment { id }",
      "1:18 Fragment cannot condition on non composite type \"Grade\".",
      "2:15 Fragment \"F\" cannot condition on non composite type \"Moment\"."
    ),
    .init(
      "query ($a: [Adult]!) { check(int: $a) }",
      "1:12 Variable \"$a\" cannot be non-input type \"[Adult]!\".",
      "1:8 1:35 Variable \"$a\" of type \"[Adult]!\" used in position expecting type \"Int\"."
    ),
    // ScalarLeafs
    .init(
      "{ adult chores { title { x } } }",
      "1:3 Field \"adult\" of type \"Adult\" must have a selection of subfields. Did you mean \"adult { ... }\"?",
      "1:24 Field \"title\" must not have a selection since type \"String!\" has no subfields."
    ),
    // FieldsOnCorrectType
    .init("{ adult { emial } }", "1:11 Cannot query field \"emial\" on type \"Adult\". Did you mean \"email\"?"),
    .init(
      "{ member { points } viewer { name } }",
      "1:12 Cannot query field \"points\" on type \"Member\". Did you mean to use an inline fragment on \"Child\"?",
      "1:30 Cannot query field \"name\" on type \"Viewer\". Did you mean to use an inline fragment on \"Member\", "
        + "\"Adult\", or \"Child\"?"
    ),
    .init("{ nothing { of { this } } }", "1:3 Cannot query field \"nothing\" on type \"Query\"."),
    // KnownFragmentNames, NoUnusedFragments, PossibleFragmentSpreads
    .init(
      "{ adult { ...Missing } }\nfragment F on Adult { ...G }\nfragment G on Adult { id }",
      "1:14 Unknown fragment \"Missing\".",
      "2:1 Fragment \"F\" is never used.",
      "3:1 Fragment \"G\" is never used."
    ),
    .init(
      "{ adult { ... on Child { id } ...F ... on Result { ... on Node { id } } } }\nfragment F on Chore { id }",
      "1:11 Fragment cannot be spread here as objects of type \"Adult\" can never be of type \"Child\".",
      "1:31 Fragment \"F\" cannot be spread here as objects of type \"Adult\" can never be of type \"Chore\".",
      "1:36 Fragment cannot be spread here as objects of type \"Adult\" can never be of type \"Result\"."
    ),
    // NoFragmentCycles
    .init(
      "{ adult { ...A } }\nfragment A on Adult { id ...B }\nfragment B on Adult { ...B owner { ...A } }",
      "3:23 Cannot spread fragment \"B\" within itself.",
      "2:26 3:36 Cannot spread fragment \"A\" within itself via \"B\"."
    ),
    // UniqueVariableNames, NoUndefinedVariables, NoUnusedVariables
    .init(
      "query Q($a: Int, $a: Int) { child(level: $a) { ...F } }\nfragment F on Child { name(short: $b) }",
      "1:10 1:19 There can be only one variable named \"$a\".",
      "2:35 1:1 Variable \"$b\" is not defined by operation \"Q\"."
    ),
    .init("{ child(level: $a) { id } }", "1:16 1:1 Variable \"$a\" is not defined."),
    .init(
      "query ($a: Int, $b: Int) { child(level: $b) { id } }\n",
      "1:8 Variable \"$a\" is never used."
    ),
    .init(
      "query Q(\(many(12) { "$v\($0): Int" })) { \(many(12) { "a\($0): child(level: $v\($0 == 3 ? 4 : $0)) { id }" }) }",
      "1:36 Variable \"$v3\" is never used in operation \"Q\"."
    ),
    // KnownDirectives, UniqueDirectivesPerLocation
    .init(
      "query @mark { adult @onQuery { id @nowhere ...F @mark } }\nfragment F on Adult @cached(seconds: 1) { id }",
      "1:7 Directive \"@mark\" may not be used on QUERY.",
      "1:21 Directive \"@onQuery\" may not be used on FIELD.",
      "1:35 Unknown directive \"@nowhere\".",
      "1:49 Directive \"@mark\" may not be used on FRAGMENT_SPREAD.",
      "2:21 Directive \"@cached\" may not be used on FRAGMENT_DEFINITION."
    ),
    .init(
      "{ adult @skip(if: true) @skip(if: false) { id } }",
      "1:9 1:25 The directive \"@skip\" can only be used once at this location."
    ),
    // KnownArgumentNames, UniqueArgumentNames, ProvidedRequiredArguments
    .init(
      "{ child(levle: 1) @cached(second: 1) { id } }",
      "1:9 Unknown argument \"levle\" on field \"Query.child\". Did you mean \"level\"?",
      "1:27 Unknown argument \"second\" on directive \"@cached\". Did you mean \"seconds\" or \"scope\"?",
      "1:19 Directive \"@cached\" argument \"seconds\" of type \"Int!\" is required, but it was not provided."
    ),
    .init("{ child(id: 1, level: 1, id: 2) { id } }", "1:9 1:26 There can be only one argument named \"id\"."),
    .init(
      "{ chore { id } }",
      "1:3 Field \"chore\" argument \"where\" of type \"Where!\" is required, but it was not provided."
    ),
    // ValuesOfCorrectType, UniqueInputFieldNames
    .init(
      "{ check(int: \"1\", float: \"1\", string: 1, boolean: 1, id: 1.5, list: [1, null, x], matrix: {a: 1}) }",
      "1:14 Int cannot represent non-integer value: \"1\"",
      "1:26 Float cannot represent non numeric value: \"1\"",
      "1:39 String cannot represent a non string value: 1",
      "1:51 Boolean cannot represent a non boolean value: 1",
      "1:58 ID cannot represent a non-string and non-integer value: 1.5",
      "1:73 Expected value of type \"Int!\", found null.",
      "1:79 Int cannot represent non-integer value: x",
      "1:91 Int cannot represent non-integer value: {a: 1}"
    ),
    .init(
      "{ check(int: 2147483648) }",
      "1:14 Int cannot represent non 32-bit signed integer value: 2147483648"
    ),
    .init(
      "{ low: chores(grade: LOWER) { id } high: chores(grade: \"HIGH\") { id } }",
      "1:22 Value \"LOWER\" does not exist in \"Grade\" enum. Did you mean the enum value \"LOW\"?",
      "1:56 Enum \"Grade\" cannot represent non-enum value: \"HIGH\". Did you mean the enum value \"HIGH\"?"
    ),
    .init(
      "mutation { add(input: {titel: \"x\", points: null, inner: 3, tags: [], tags: [1]}) { id } }",
      "1:23 Field \"ChoreInput.title\" of required type \"String!\" was not provided.",
      "1:24 Field \"titel\" is not defined by type \"ChoreInput\". Did you mean \"title\"?",
      "1:44 Expected value of type \"Int!\", found null.",
      "1:57 Expected value of type \"ChoreInput\", found 3.",
      "1:60 1:70 There can be only one input field named \"tags\".",
      "1:77 String cannot represent a non string value: 1"
    ),
    .init(
      "{ a: chore(where: {}) { id } b: chore(where: {id: 1, title: \"\"}) { id } c: chore(where: {id: null}) { id } }",
      "1:19 OneOf Input Object \"Where\" must specify exactly one key.",
      "1:46 OneOf Input Object \"Where\" must specify exactly one key.",
      "1:89 Field \"Where.id\" must be non-null."
    ),
    // VariablesInAllowedPosition
    .init(
      "query ($a: String, $b: [Int], $c: ID, $d: Int!) {\n"
        + "check(int: $a, list: $b, matrix: $d) chore(where: {id: $c}) { id } }",
      "1:8 2:12 Variable \"$a\" of type \"String\" used in position expecting type \"Int\".",
      "1:20 2:22 Variable \"$b\" of type \"[Int]\" used in position expecting type \"[Int!]\".",
      "1:39 2:34 Variable \"$d\" of type \"Int!\" used in position expecting type \"[[Int]]\".",
      "1:31 2:56 Variable \"$c\" is of type \"ID\" but must be non-nullable to be used for OneOf Input Object "
        + "\"Where\"."
    ),
    // OverlappingFieldsCanBeMerged
    .init(
      "{ adult { x: id x: name } }",
      "1:11 1:17 Fields \"x\" conflict because \"id\" and \"name\" are different fields. Use different aliases on the "
        + "fields to fetch both if this was intentional."
    ),
    .init(
      "{ child(level: 1) { id } ... { ...F } }\nfragment F on Query { child(level: 2) { id } }",
      "1:3 2:23 Fields \"child\" conflict because they have differing arguments. Use different aliases on the fields "
        + "to fetch both if this was intentional."
    ),
    .init(
      "{ member { ... on Adult { age } ... on Child { age } } }",
      "1:27 1:48 Fields \"age\" conflict because they return conflicting types \"Int\" and \"String\". Use different "
        + "aliases on the fields to fetch both if this was intentional."
    ),
    .init(
      "{ member { ... on Adult { owner { x: id } } ... on Child { owner { x: name } } } }",
      "1:27 1:35 1:60 1:68 Fields \"owner\" conflict because subfields \"x\" conflict because they return conflicting "
        + "types \"ID!\" and \"String\". Use different aliases on the fields to fetch both if this was intentional."
    ),
    .init(
      "{ adult { ...A } adult { ...B } }\nfragment A on Adult { x: id }\nfragment B on Adult { x: email }",
      "1:3 2:23 1:18 3:23 Fields \"adult\" conflict because subfields \"x\" conflict because \"id\" and \"email\" are "
        + "different fields. Use different aliases on the fields to fetch both if this was intentional."
    ),
    // graphql-js accepts this document; section 5.3.2 rejects it.
    .init(
      "{ viewer { ... on Adult { x: __typename } ... on Child { x: points } } }",
      "1:27 1:58 Fields \"x\" conflict because they return conflicting types \"String!\" and \"Int!\". Use different "
        + "aliases on the fields to fetch both if this was intentional."
    ),
  ]
}
