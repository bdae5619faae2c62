import GraphQLServer
import Synchronization
import TestSupport
import Testing

@Suite("Directives that the application handles")
struct DirectiveTests {
  private enum Role: String, Decodable, Comparable {
    case member = "MEMBER"
    case admin = "ADMIN"
    static func < (one: Role, other: Role) -> Bool { one == .member && other == .admin }
  }

  private struct Auth: Decodable { let requires: Role }
  private struct Level: Decodable { let requires: Int }
  private struct User: Sendable { let id: Int, email: String }

  private static let sdl = """
    directive @auth(requires: Role = MEMBER) repeatable on FIELD_DEFINITION | OBJECT
    directive @tag(name: String!) on FIELD_DEFINITION | INTERFACE | ENUM_VALUE
    enum Role { MEMBER ADMIN @tag(name: "internal") }
    interface Node @tag(name: "public") { id: Int }
    type Query { users: [User] audit: Audit leaf: Int @auth later: Int @auth }
    type Mutation { remove(id: ID!): Int @auth(requires: ADMIN) }
    type Subscription { ticks: Int @auth(requires: ADMIN) }
    type User implements Node {
      id: Int
      email: String @auth(requires: ADMIN)
      score: Int @auth
      friend: User @auth
      best: User @auth(requires: MEMBER) @auth(requires: ADMIN)
    }
    type Audit @auth(requires: ADMIN) { id: Int note(about: String): String @deprecated }
    """

  /// The context is the role of the caller; nil if the caller is not signed in.
  private static func schema(removals: Counter = Counter()) -> GraphQLSchema<Role?> {
    var schema = GraphQLSchema<Role?>(sdl)
    schema.directive("auth", Auth.self) { auth, request in
      guard let role = request.context, role >= auth.requires else {
        throw GraphQLError("Only for \(auth.requires.rawValue).", code: "FORBIDDEN")
      }
    }
    schema.ignoreDirective("tag")
    schema.query("users") { _ in [User(id: 1, email: "ada@example.com"), User(id: 2, email: "bob@example.com")] }
    schema.query("audit") { _ in 7 }
    schema.query("leaf") { _ in 1 }
    schema.query("later") { _ async -> Int in 2 }
    schema.mutation("remove") { _ in
      removals.increment()
      return 1
    }
    schema.subscription("ticks") { _ in
      AsyncStream<Int> { continuation in
        continuation.yield(1)
        continuation.finish()
      }
    }
    schema.object("User", User.self) { user in
      user.field("id", \User.id)
      user.field("email", \User.email)
      user.batchedField("score") { users, _ in users.map { $0.id * 10 } }
      user.field("friend", by: \User.id) { ids, _ in [1: User(id: 3, email: "")].filter { ids.contains($0.key) } }
      user.field("best") { user, _ in user }
    }
    schema.object("Audit", Int.self) { audit in
      audit.field("id", \.self)
      audit.field("note") { _, _ in "All is well." }
    }
    return schema
  }

  private static func execute(_ document: String, as role: Role?) async throws -> String {
    try await GraphQLExecutor(schema()).execute(document, context: role)
  }

  @Test func `are checked before resolvers of every kind, also properties`() async throws {
    let document = "{ users { id email score friend { id } best { id } } leaf later audit { id note } }"
    let all =
      #"{"data":{"users":[{"id":1,"email":"ada@example.com","score":10,"friend":{"id":3},"best":{"id":1}},"#
      + #"{"id":2,"email":"bob@example.com","score":20,"friend":null,"best":{"id":2}}],"#
      + #""leaf":1,"later":2,"audit":{"id":7,"note":"All is well."}}}"#
    #expect(try await Self.execute(document, as: .admin) == all)
    let member = try await Self.execute(document, as: .member)
    #expect(
      member.contains(
        #""data":{"users":[{"id":1,"email":null,"score":10,"friend":{"id":3},"best":null},"#
          + #"{"id":2,"email":null,"score":20,"friend":null,"best":null}],"#
          + #""leaf":1,"later":2,"audit":{"id":null,"note":null}}"#
      ),
      "\(member)"
    )
    #expect(member.contains(#""message":"Only for ADMIN.""#) && !member.contains("Only for MEMBER."))
    let stranger = try await Self.execute(document, as: nil)
    #expect(
      stranger.contains(
        #""data":{"users":[{"id":1,"email":null,"score":null,"friend":null,"best":null},"#
          + #"{"id":2,"email":null,"score":null,"friend":null,"best":null}],"#
          + #""leaf":null,"later":null,"audit":{"id":null,"note":null}}"#
      ),
      "\(stranger)"
    )
  }

  @Test func `prevent a mutation`() async throws {
    let removals = Counter()
    let executor = try GraphQLExecutor(Self.schema(removals: removals))
    let rejected = await executor.execute("mutation { remove(id: 1) }", context: .member)
    #expect(rejected.contains("FORBIDDEN") && removals.count == 0)
    let done = await executor.execute("mutation { remove(id: 1) }", context: .admin)
    #expect(done == #"{"data":{"remove":1}}"# && removals.count == 1)
  }

  @Test func `are checked when a subscription begins, and for each event`() async throws {
    func responses(to schema: GraphQLSchema<Role?>, as role: Role) async throws -> [String] {
      var responses: [String] = []
      for await response in try GraphQLExecutor(schema).responses(to: "subscription { ticks }", context: role) {
        responses.append(response)
      }
      return responses
    }
    #expect(try await responses(to: Self.schema(), as: .admin) == [#"{"data":{"ticks":1}}"#])
    let rejected = try await responses(to: Self.schema(), as: .member)
    #expect(rejected.count == 1 && rejected[0].contains("FORBIDDEN") && !rejected[0].contains(#""data""#))
    var demoting = Self.schema()
    demoting.eventContext { _ in .member }
    let events = try await responses(to: demoting, as: .admin)
    #expect(events.count == 1 && events[0].contains("FORBIDDEN") && events[0].contains(#""data":{"ticks":null}"#))
  }

  @Test func `without a handler are an error of the start, like those that it cannot check`() {
    var schema = GraphQLSchema<Void>(
      """
      directive @auth(requires: String) on FIELD_DEFINITION | INTERFACE
      directive @limit(to: Int!) on ARGUMENT_DEFINITION | FIELD_DEFINITION
      directive @twice on FIELD_DEFINITION
      directive @unused on FIELD_DEFINITION
      interface Node @auth(requires: "5") { id: Int }
      type Query { a(b: Int @limit(to: 1)): Int @limit(to: 2) c: Int @auth(requires: "x") d: Int @deprecated }
      """
    )
    for field in ["a", "c", "d"] { schema.query(field) { _ in 1 } }
    schema.directive("auth", Level.self) { _, _ in }
    schema.directive("outh", Level.self) { _, _ in }
    schema.directive("cost", Level.self) { _, _ in }
    schema.directive("twice", Level.self) { _, _ in }
    schema.directive("twice", Level.self) { _, _ in }
    schema.ignoreDirective("twice")
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        @cost is a directive of the engine, which has no handler.
        @outh has a handler, but the schema has no directive of that name.
        @twice has several handlers.
        @twice has a handler, and is ignored.
        @auth is applied to Node, where its handler is not called: apply it to object types and their fields.
        @limit is applied to Query.a, but has no handler: add one with `directive`, or call `ignoreDirective`.
        The arguments of @auth at Query.c cannot be decoded. Argument "requires": Expected an integer.
        """
    )
  }
}
