import ClientGeneration
import Testing

/// Tests of constructs that Hearth's schema lacks. The client for Hearth's schema is compiled and run elsewhere.
@Suite("Swift types for operations")
struct SwiftGeneratorTests {
  private static let schema = """
    scalar Colour
    interface Named { name: String }
    type Cat implements Named { name: String! lives: Int! self: Boolean init: Boolean }
    type Dog implements Named { name: String owner: Person }
    type Fish { default: Float }
    union Pet = Cat | Dog | Fish
    type Person { id: ID! pets(of: [Kind!] = [CAT], filter: Filter): [[Pet!]]! date: Person colour: Colour }
    enum Kind { CAT DOG_LIKE unknown }
    input Filter { and: [Filter!] not: Filter kind: Kind! = CAT fields: Int }
    input Choice @oneOf { cat: Int dogs: [String] }
    type Thing { type: Person any: Pet hashable: Person codingKeys: Person sendable: Person name: String }
    enum Word { allCases raw_value init none in }
    type Query { me: Person choose(by: Choice!): Pet thing(word: Word): Thing }
    """

  private func generate(
    _ documents: String...,
    schema: String = Self.schema,
    scalars: [String: String] = [:],
    access: GenerationOptions.Access = .public
  ) throws -> [String: String] {
    var options = GenerationOptions()
    options.access = access
    options.scalars.merge(scalars) { $1 }
    let files = try SwiftGenerator.generate(
      schema: schema,
      documents: documents.enumerated().map { ("\($0.offset).graphql", $0.element) },
      options: options
    )
    return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
  }

  private func expect(_ text: String?, has lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let found = (text ?? "").split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in lines {
      #expect(found.contains(line[...]), "\(line) in:\n\(text ?? "")", sourceLocation: sourceLocation)
    }
  }

  @Test func `lists and nulls are as the schema has them`() throws {
    let files = try generate("query Pets { me { pets { ... on Fish { default } } } }")
    expect(
      files["PetsQuery.swift"],
      has: "public let me: Me?",
      "public let pets: [[Pet]?]",
      "public let `default`: Double?"
    )
  }

  @Test func `an interface's fields are had of every case, at the interface's type`() throws {
    let files = try generate(
      "query Q { choose(by: {cat: 1}) { ... on Named { name ... on Cat { lives } } } }"
    )
    expect(
      files["QQuery.swift"],
      has: "case cat(Cat)",
      "case dog(Dog)",
      "case other(Other)",
      "public let lives: Int",
      "public let name: String?"
    )
    #expect(files["QQuery.swift"]?.contains("{ __typename ... on Named { name ... on Cat { lives } } }") == true)
  }

  @Test func `what may be left out is optional, and only then`() throws {
    let files = try generate(
      """
      query Q($yes: Boolean!) {
        me { id }
        me @include(if: $yes) { pets { __typename } other: id }
        you: me @skip(if: $yes) { id ...P }
      }
      fragment P on Person { date @skip(if: $yes) { id } }
      """
    )
    expect(
      files["QQuery.swift"],
      has: "public let id: PersonID",
      "public let pets: [[Pet]?]?",
      "public let other: PersonID?",
      "public let you: You?",
      "public let p: P"
    )
    expect(files["P.swift"], has: "public let date: DateSelection?")
  }

  @Test func `a fragment that may be left out gives its fields, not itself`() throws {
    let files = try generate("query Q($yes: Boolean!) { me { ...P @include(if: $yes) } } fragment P on Person { id }")
    expect(files["QQuery.swift"], has: "public let id: PersonID?")
    #expect(files["QQuery.swift"]?.contains(": P\n") == false)
  }

  @Test func `fragments of other files are sent along, once`() throws {
    let files = try generate(
      "query Q { me { ...A ...B } }",
      "fragment A on Person { id ...B }",
      "fragment B on Person { date { id } }"
    )
    let text = try #require(files["QQuery.swift"])
    #expect(text.ranges(of: "fragment A on").count == 1 && text.ranges(of: "fragment B on").count == 1)
  }

  @Test func `inputs distinguish absent from null, can be recursive, and have defaults`() throws {
    let files = try generate(
      "query Q($f: Filter, $kinds: [Kind!]! = [CAT]) { me { pets(of: $kinds, filter: $f) { __typename } } }"
    )
    expect(
      files["Filter.swift"],
      has: "public var and: GraphQLNullable<[Filter]>",
      "public var not: GraphQLNullable<Filter>",
      "public var kind: Kind?",
      "public var fields_: GraphQLNullable<Int>",
      "GraphQLInputField(\"fields\", fields_),"
    )
    expect(files["QQuery.swift"], has: "public init(f: GraphQLNullable<Filter> = .absent, kinds: [Kind]? = nil) {")
    expect(
      files["Kind.swift"],
      has: "case dogLike",
      "case unknown_",
      "case unknown(String)",
      "case .unknown_: \"unknown\""
    )
  }

  @Test func `of a oneOf exactly one is given`() throws {
    let files = try generate("query Q($by: Choice!) { choose(by: $by) { __typename } }", access: .internal)
    expect(
      files["Choice.swift"],
      has: "nonisolated indirect enum Choice: GraphQLInputObject {",
      "case cat(Int)",
      "case dogs([String?])"
    )
    #expect(files.values.allSatisfy { !$0.contains("public") })
  }

  @Test func `names that Swift has for itself are changed`() throws {
    let files = try generate("query Q { choose(by: {cat: 1}) { ... on Cat { self init } } }")
    expect(files["QQuery.swift"], has: "public let self_: Bool?", "case self_ = \"self\"", "public let init_: Bool?")
  }

  @Test func `no nested type shadows the types that it uses`() throws {
    let files = try generate(
      "query Q { thing { type { id } any { ... on Fish { default } } hashable { id } codingKeys { id } sendable { id } } }"
    )
    expect(
      files["QQuery.swift"],
      has: "public let type: TypeSelection?",
      "public let `any`: AnySelection?",
      "public let hashable: HashableSelection?",
      "public let codingKeys: CodingKeysSelection?",
      "public let sendable: SendableSelection?"
    )
  }

  @Test func `an enum's values do not take the names that every enum has`() throws {
    let files = try generate("query Q($word: Word) { thing(word: $word) { _: name } }")
    expect(
      files["Word.swift"],
      has: "case allCases_",
      "case rawValue_",
      "case init_",
      "case none",
      "case `in`",
      "case .rawValue_: \"raw_value\""
    )
    expect(files["QQuery.swift"], has: "public let field_: String?", "case field_ = \"_\"")
  }

  @Test func `names of fragments can be words of Swift`() throws {
    let files = try generate(
      "query Q { me { ...Default ...Init } }",
      "fragment Default on Person { id } fragment Init on Person { pets { __typename } }"
    )
    expect(
      files["QQuery.swift"],
      has: "public let `default`: Default",
      "public let init_: Init",
      "public var id: PersonID { `default`.id }",
      "self.init_ = try Init(from: decoder)"
    )
  }

  @Test func `names that begin with a digit keep their underscore`() throws {
    let files = try generate(
      "query _2nd { _0: me { id } _1: me { ...__3D } } fragment __3D on Person { id }",
      "query Faces($is: Face) { me { id @include(if: true) } faces(is: $is) }",
      schema: "enum Face { _2D _2D_3D } type Person { id: ID! } type Query { me: Person faces(is: Face): Int }"
    )
    expect(
      files["_2ndQuery.swift"],
      has: "public let _0: _0?",
      "public nonisolated struct _1: Decodable, Hashable, Identifiable, Sendable {",
      "public let _3D: _3D"
    )
    expect(files["Face.swift"], has: "case _2d", "case _2d3d", "case ._2d: \"_2D\"")
  }

  @Test func `a property of an enum has no name of a case`() throws {
    let files = try generate(
      "query Q { shape { square other ... on Square { side } } }",
      schema: """
        interface Shape { square: Int other: String }
        type Square implements Shape { square: Int other: String side: Int }
        type Circle implements Shape { square: Int other: String }
        type Query { shape: Shape! }
        """
    )
    expect(
      files["QQuery.swift"],
      has: "case square(Square)",
      "public var square_: Int? {",
      "case .square(let object): object.square",
      "public var other_: String? {"
    )
  }

  @Test func `types of a schema whose names are reserved get others`() throws {
    let schema = "enum Data { A } input Date { data: Data } type Query { me(at: Date): Data }"
    let files = try generate("query Q($at: Date) { me(at: $at) }", schema: schema)
    expect(files["DataType.swift"], has: "public nonisolated enum DataType: GraphQLEnum {")
    expect(files["DateType.swift"], has: "public var data: GraphQLNullable<DataType>")
    expect(
      files["QQuery.swift"],
      has: "public var at: GraphQLNullable<DateType>",
      "public let me: DataType?"
    )
  }

  @Test func `lines end as the file has them`() throws {
    let files = try generate(
      "query Q {\r\n  me { id }\r\n}",
      schema: #"type Person { id: ID! } type Query { "One\r\ntwo\rthree" me: Person }"#
    )
    expect(files["QQuery.swift"], has: "query Q {", "me { id }", "/// One", "/// two", "/// three")
    #expect(files["QQuery.swift"]?.utf8.contains(UInt8(ascii: "\r")) == false)
  }

  @Test func `words of Swift are written as names`() throws {
    let files = try generate("query Q { thing { await: name } }")
    expect(files["QQuery.swift"], has: "public let `await`: String?", "self.await = `await`")
  }

  @Test func `every response type has an initializer for samples`() throws {
    let files = try generate(
      "query Q { me { id date { id } ...P } choose(by: {cat: 1}) { ... on Cat { lives } } }",
      "fragment P on Person { colour: id pets { ... on Dog { name } } }"
    )
    expect(
      files["QQuery.swift"],
      has: "public init(me: Me? = nil, choose: Choose? = nil) {",
      "public init(id: PersonID, date: DateSelection? = nil, p: P) {",
      "self.p = p",
      "public init(lives: Int) {",
      "public init() {"
    )
    expect(files["P.swift"], has: "public init(colour: PersonID, pets: [[Pet]?]) {")
  }

  /// Types of an app are the main actor's where it is built with that default, as Xcode's new ones are.
  @Test func `every type is nonisolated, whatever the default isolation`() throws {
    let files = try generate(
      "query Q($f: Filter, $by: Choice!) { me { ...P } choose(by: $by) { ... on Cat { self } } }",
      "fragment P on Person { pets(filter: $f) { ... on Dog { name } } }"
    )
    let types = files.values.flatMap { $0.matches(of: /(?m)^ *(.*)\b(?:struct|enum) \w+:/).map { String($0.1) } }
    #expect(types.count > 10)
    #expect(types.allSatisfy { $0.contains("nonisolated ") }, "\(types)")
  }

  @Test func `texts of documents end no string`() throws {
    let document = "query Q { choose(by: {dogs: [\"\"\"a \\\"\"\"\"\"\", \"\\#(x)\"]}) { __typename } }"
    #expect(throws: GenerationError.self) { try generate(document) }
    let files = try generate("query Q { choose(by: {dogs: [\"\"\"#\"\"\"#\n]}) { __typename } }")
    expect(files["QQuery.swift"], has: "public static let document = ##\"\"\"")
  }

  @Test(arguments: [
    (
      "query Q { me { name } }",
      "1.graphql:1:16: Cannot query field \"name\" on type \"Person\". Did you mean \"date\"?"
    ),
    ("query Q { me { id }", "1.graphql:1:20: Syntax Error: Expected Name, found <EOF>."),
    ("{ me { id } }", "1.graphql:1:1: This anonymous operation must be the only defined operation."),
    ("query A { me { colour } }", "The scalar Colour has no Swift type: specify one with `--scalar Colour=Type`."),
    (
      "query A { __schema { queryType { name } } }",
      "`__schema` is an introspection field, which generated clients do not support."
    ),
    (
      "query A { me { ...Data } } fragment Data on Person { id }",
      "The name Data is taken by the client or by Swift: rename the operation or the fragment."
    ),
    (
      "query fine { me { id } }",
      "2 of the generated types would be written to FineQuery.swift: rename an operation or a fragment."
    ),
  ])
  func `unsupported documents are reported with their location`(document: String, message: String) {
    let error = #expect(throws: GenerationError.self) { try generate("query Fine { me { id } }\n# €", document) }
    #expect(error?.messages.contains(message) == true, "\(String(describing: error?.messages))")
  }

  @Test(arguments: [
    ("children", "Child"), ("assignees", "Assignee"), ("entries", "Entry"), ("boxes", "Box"), ("news", "News"),
    ("grandchildren", "Grandchild"), ("otherPeople", "OtherPerson"), ("addresses", "Address"), ("houses", "House"),
    ("statuses", "Status"), ("mass", "Mass"), ("pair", "Pair"),
  ])
  func `one of a list has a singular name`(key: String, name: String) throws {
    let files = try generate("query Q { me { \(key): pets { ... on Fish { default } } } }")
    expect(files["QQuery.swift"], has: "public let \(key): [[\(name)]?]")
  }

  @Test func `an object whose id is selected is identifiable`() throws {
    let files = try generate(
      """
      query Q($yes: Boolean!) {
        me { id date { id @include(if: $yes) } }
        alias: me { id: colour }
        spread: me { ...P }
      }
      fragment P on Person { id }
      """,
      scalars: ["Colour": "String"]
    )
    expect(
      files["QQuery.swift"],
      has: "public nonisolated struct Me: Decodable, Hashable, Identifiable, Sendable {",
      "public nonisolated struct DateSelection: Decodable, Hashable, Sendable {",
      "public nonisolated struct Alias: Decodable, Hashable, Sendable {",
      "public nonisolated struct Spread: Decodable, Hashable, Identifiable, Sendable {",
      "public var id: PersonID { p.id }"
    )
    expect(files["P.swift"], has: "public nonisolated struct P: Decodable, Hashable, Identifiable, Sendable {")
  }

  private static let objectsWithIDs = """
    interface Node { id: ID! }
    type Child implements Node { id: ID! friendIds: [ID!]! }
    type Chore implements Node { id: ID! childId: ID otherId: ID! }
    type Item implements Node { id: ID! }
    union Thing = Child | Chore
    input SaveChoreInput { id: ID! childId: ID assigneeIds: [ID!]! }
    input Key @oneOf { choreId: ID name: String }
    type Query { node(id: ID!): Node chore(childId: ID): Chore thing(by: Key): Thing save(input: SaveChoreInput!): Chore }
    """

  @Test func `the ids of each type have a type of their own`() throws {
    let files = try generate(
      """
      query Q($id: ID!, $childId: ID, $by: Key) {
        chore(childId: $childId) { id childId otherId }
        node(id: $id) { id ... on Child { friendIds } }
        short: chore { ...N }
        thing(by: $by) { ...N ... on Chore { otherId } }
      }
      fragment N on Node { id }
      """,
      "query Save($input: SaveChoreInput!) { save(input: $input) { id } }",
      schema: Self.objectsWithIDs
    )
    expect(
      files["QQuery.swift"],
      has: "public init(id: String, childId: GraphQLNullable<ChildID> = .absent, by: GraphQLNullable<Key> = .absent) {",
      "public let id: ChoreID",
      "public let childId: ChildID?",
      "public let otherId: String",
      "public let friendIds: [String]",
      // Of an interface, whose cases have narrower ids.
      "public var id: NodeID {",
      "case .child(let object): NodeID(object.id)",
      "public var id: ChoreID { ChoreID(n.id) }",
      // Of a union, for which there is no type.
      "public var id: String {",
      "case .chore(let object): object.id.rawValue"
    )
    expect(files["N.swift"], has: "public let id: NodeID")
    expect(
      files["SaveChoreInput.swift"],
      has: "public var id: ChoreID",
      "public var childId: GraphQLNullable<ChildID>",
      "public var assigneeIds: [String]"
    )
    expect(files["Key.swift"], has: "case choreId(ChoreID)")
    expect(files["ChoreID.swift"], has: "public nonisolated struct ChoreID: GraphQLID {", "public let rawValue: String")
    let plain = try generate("query Q { chore { id } }", schema: Self.objectsWithIDs, scalars: ["ID": "String"])
    #expect(plain.keys.sorted() == ["QQuery.swift"])
    expect(plain["QQuery.swift"], has: "public let id: String")
  }

  @Test func `scalars are what the client says`() throws {
    let files = try generate("query Q { me { colour id } }", scalars: ["Colour": "RGB", "ID": "Int"])
    expect(files["QQuery.swift"], has: "public let colour: RGB?", "public let id: Int")
  }
}
