import Testing

@testable import GraphQL

@Suite("Binding")
struct BindingTests {
  static let sdl = """
    type Query { thing: Thing things: [Thing!] count(of: Int): Int! }
    type Thing { id: ID! name: String color: Color at: Time }
    enum Color { RED GREEN }
    scalar Time
    """

  static let load = FieldBinding.load(needs: []) { _, _ in }
  static let leaf = FieldBinding.leaf(needs: []) { _ in .null }
  static let query = ObjectBinding(fields: ["thing": load, "things": load, "count": leaf])
  static let columns: [ColumnFormat] = [.text, .enumeration(["RED", "GREEN"]), .dateTime, .key, .integer]
  static let fields: [String: FieldBinding] = [
    "id": .column(0), "name": .column(0), "color": .column(1), "at": .column(2),
  ]

  static func faults(_ objects: [String: ObjectBinding]) throws -> [String] {
    do {
      _ = try ExecutableSchema(try SchemaBuilder.build(sdl), objects: objects)
      return []
    } catch {
      return error.errors.map(\.message)
    }
  }

  static func thing(_ name: String, _ binding: FieldBinding?) throws -> [String] {
    var fields = fields
    fields[name] = binding
    return try faults(["Query": query, "Thing": ObjectBinding(columns: columns, fields: fields)])
  }

  @Test func `a schema with a resolver for every field is accepted`() throws {
    #expect(
      try Self.faults(["Query": Self.query, "Thing": ObjectBinding(columns: Self.columns, fields: Self.fields)]) == []
    )
  }

  @Test func `every subscription field has an event source, and no other field has one`() throws {
    func faults(_ sources: [String: SourceBinding], ofQuery: [String: SourceBinding] = [:]) throws -> [String] {
      let subscription = ObjectBinding(fields: ["ticks": Self.leaf], sources: sources)
      let query = ObjectBinding(fields: ["count": Self.leaf], sources: ofQuery)
      do {
        _ = try ExecutableSchema(
          try SchemaBuilder.build("type Query { count: Int } type Subscription { ticks: Int }"),
          objects: ["Query": query, "Subscription": subscription]
        )
        return []
      } catch {
        return error.errors.map(\.message)
      }
    }
    let source: SourceBinding = { _, _, _ in SourceStream(Topic("ticks"), visibility: 0) }
    #expect(try faults(["ticks": source]) == [])
    #expect(try faults([:]) == ["Subscription.ticks is a subscription field, but has no event source."])
    #expect(
      try faults(["ticks": source, "tocks": source], ofQuery: ["count": source]) == [
        "Query.count has an event source, but is not a subscription field.",
        "Subscription.tocks has an event source, but is not a subscription field.",
      ]
    )
  }

  @Test func `weights and names of cost directives that cannot be used are errors`() throws {
    let sdl = """
      directive @cost(weight: String) on ARGUMENT_DEFINITION | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | SCALAR
      directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
      type Query {
        a(by: Filter, first: Int @cost(weight: "nan")): [Int] @listSize(slicingArguments: ["fist", "first"])
        b: Int @cost(weight: "1OO")
        c: [Int] @cost(weight: "-2.5") @listSize(assumedSize: 3, sizedFields: "nodes")
        d: Int @cost(weight: null)
      }
      input Filter { name: String @cost(weight: "inf") }
      scalar Time @cost(weight: "")
      """
    let fields = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, Self.leaf) })
    let schema = try SchemaBuilder.build(sdl)
    let error = #expect(throws: SchemaError.self) {
      try ExecutableSchema(schema, objects: ["Query": ObjectBinding(fields: fields)])
    }
    #expect(
      error?.errors.map(\.message) == [
        #"Query.a(first:): the weight of @cost must be a finite number in a string, not "nan"."#,
        "Query.a has no argument fist, which its @listSize has in slicingArguments.",
        #"Query.b: the weight of @cost must be a finite number in a string, not "1OO"."#,
        "Int has no field nodes, which the @listSize of Query.c has in sizedFields.",
        #"Filter.name: the weight of @cost must be a finite number in a string, not "inf"."#,
        #"Time: the weight of @cost must be a finite number in a string, not ""."#,
      ]
    )
  }

  @Test func `every error names its coordinate`() throws {
    #expect(try Self.faults(["Query": Self.query]) == ["Thing is in the schema, but nothing resolves it."])
    #expect(try Self.thing("name", nil) == ["Thing.name is in the schema, but nothing resolves it."])
    #expect(try Self.thing("size", Self.leaf) == ["Thing.size is resolved, but it is not in the schema."])
    #expect(
      try Self.thing("name", .column(4)) == ["Thing.name is of type String in the schema, but its column is integer."]
    )
    #expect(try Self.thing("name", .column(9)) == ["Thing.name reads column 9, which its type does not have."])
    #expect(try Self.thing("name", Self.load) == ["Thing.name is a leaf in the schema, but is resolved as objects."])
    #expect(
      try Self.thing("name", .reference(column: 3)) == [
        "Thing.name is not one object in the schema, but is resolved as a reference."
      ]
    )
    var query = Self.query
    let thing = ObjectBinding(columns: Self.columns, fields: Self.fields)
    query.fields["thing"] = Self.leaf
    query.columns = [.integer]
    query.fields["count"] = .column(0)
    #expect(
      try Self.faults(["Query": query, "Thing": thing]) == [
        "Query.thing is an object in the schema, but is resolved as a leaf.",
        "Query.count has arguments in the schema, but is resolved as a column.",
      ]
    )
    #expect(
      try Self.faults(["Query": Self.query, "Thing": thing, "Color": thing]) == [
        "Color is resolved, but the schema has no object type of that name."
      ]
    )
    #expect(
      try Self.faults([
        "Query": Self.query,
        "Thing": ObjectBinding(columns: Array(repeating: .text, count: 65), fields: Self.fields),
      ]).first == "Thing has more than 64 columns."
    )
  }
}
