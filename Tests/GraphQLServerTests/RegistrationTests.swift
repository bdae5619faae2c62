import GraphQLServer
import Testing

@Suite("Registrations that contradict the schema or each other")
struct RegistrationTests {
  private struct Day: Decodable, Sendable {}
  private struct Time: Decodable, Sendable {}
  private struct Cat: Sendable { let id = 1 }
  private struct Dog: Sendable { let id = 2 }

  private static func register<Value: Decodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    in schema: inout GraphQLSchema<Void>
  ) {
    schema.scalar(name, type) { _ in
      nil
    } write: { _ in
      ""
    }
  }

  @Test func `are errors of the start, together with what nothing resolves`() {
    var schema = GraphQLSchema<Void>(
      """
      type Query { id: ID day: Day time: Time cat: Cat pet: Pet other: Int }
      scalar Day scalar Time scalar Hour
      union Pet = Cat | Dog
      type Cat { id: Int } type Dog { id: Int }
      """
    )
    for field in ["id", "day", "time", "cat", "pet"] { schema.query(field) { _ -> any Sendable in 1 } }
    Self.register("ID", Time.self, in: &schema)
    Self.register("Dya", Time.self, in: &schema)
    Self.register("Day", Day.self, in: &schema)
    Self.register("Hour", Day.self, in: &schema)
    schema.object("Cat", Cat.self) { $0.field("id", \.id) }
    schema.object("Cat", Dog.self) { _ in }
    schema.object("Dog", Dog.self) { $0.field("id", \.id) }
    schema.object("Query", Cat.self) { _ in }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Cat is registered with Cat and Dog: an object type has one Swift type.
        Query is the query type, which has no Swift type: resolve its fields with `query`.
        Dya is registered as a scalar, but the schema has no scalar of that name.
        ID is a built-in scalar: use `represent`, or declare a scalar of your own.
        Day is the Swift type of the scalars Day and Hour: a type represents one.
        Time is the Swift type of the scalars Dya and ID: a type represents one.
        Dog is the Swift type of Cat and Dog, which are both object types of Pet: give them different Swift types, \
        or name the type of each value by abstractType(_:_:typeName:).
        Query.other is in the schema, but nothing resolves it.
        """
    )
  }

  @Test func `a repeated registration with the same Swift type adds to the first one`() async throws {
    var schema = GraphQLSchema<Void>("type Query { cat: Cat day: Day } type Cat { id: Int name: String } scalar Day")
    schema.query("cat") { _ in Cat() }
    schema.query("day") { _ in Day() }
    for text in ["Monday", "Tuesday"] {
      schema.scalar("Day", Day.self) { _ in
        nil
      } write: { _ in
        text
      }
    }
    schema.object("Cat", Cat.self) { $0.field("id", \.id) }
    schema.object("Cat", Cat.self) { $0.field("name") { _, _ in "Tom" } }
    let response = try await GraphQLExecutor(schema).execute("{ cat { id name } day }", context: ())
    #expect(response == #"{"data":{"cat":{"id":1,"name":"Tom"},"day":"Tuesday"}}"#)
  }

  @Test func `a scalar with two Swift types is an error`() {
    var schema = GraphQLSchema<Void>("type Query { day: Day } scalar Day")
    schema.query("day") { _ in 1 }
    Self.register("Day", Day.self, in: &schema)
    Self.register("Day", Time.self, in: &schema)
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(error?.description == "Day is registered with Day and Time: a scalar has one Swift type.")
  }

  @Test func `a field with several resolvers is an error`() {
    var schema = GraphQLSchema<Void>(
      """
      type Query { cat: Cat } type Mutation { add: Cat } type Subscription { cats: Cat }
      type Cat { id: Int name: String }
      """
    )
    for _ in 0..<2 {
      schema.query("cat") { _ in Cat() }
      schema.mutation("add") { _ in Cat() }
      schema.subscription("cats") { _ in AsyncStream<Cat> { $0.finish() } }
      schema.object("Cat", Cat.self) { $0.field("id", \.id) }
    }
    schema.object("Cat", Cat.self) { cat in
      cat.field("name") { _, _ in "Tom" }
      cat.field("name") { _, _ in "Kit" }
    }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Cat.id is resolved several times.
        Cat.name is resolved several times.
        Mutation.add is resolved several times.
        Query.cat is resolved several times.
        Subscription.cats is resolved several times.
        """
    )
  }

  @Test func `the context closure can be tested without a server`() {
    let context = { @Sendable (request: ClientRequest) in
      [request["x-user"], request.authorization, request.bearerToken, request.peerAddress]
    }
    let request = ClientRequest(headers: ["X-User": "Ada", "Authorization": "Bearer secret"], peerAddress: "192.0.2.1")
    #expect(context(request) == ["Ada", "Bearer secret", "secret", "192.0.2.1"])
    #expect(context(ClientRequest()) == [nil, nil, nil, nil])
  }
}
