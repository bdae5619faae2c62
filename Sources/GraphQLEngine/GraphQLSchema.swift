/// A GraphQL schema, and the Swift closures that resolve its fields.
///
/// The schema is written in the schema definition language. Each field has a closure that returns Swift values:
/// strings, numbers, booleans and enums for scalars and enums, values of your own types for objects, arrays for lists,
/// and optionals for nullable fields.
///
/// ```swift
/// var schema = GraphQLSchema<Context>("""
///   type Query { book(id: ID!): Book }
///   type Book { title: String! author: Author! }
///   type Author { name: String! }
///   """)
///
/// schema.query("book") { request in
///   await request.context.library.book(try request.arguments["id"])
/// }
/// schema.object("Book", Book.self) { book in
///   book.field("title", \Book.title)
///   book.field("author", by: \Book.authorID) { ids, request in await request.context.library.authors(ids) }
/// }
/// schema.object("Author", Author.self) { author in
///   author.field("name", \Author.name)
/// }
/// ```
///
/// `Context` is a type of yours. Each request has one value of it, which all its resolvers can read: for example the
/// user, and what the resolvers need, such as a database connection.
///
/// A field whose closure does not await is resolved immediately. A closure that awaits runs on the server's event loop
/// between its suspensions, like other requests. It must not block the loop.
public struct GraphQLSchema<Context: Sendable>: Sendable {
  /// The source text of the schema.
  let text: String
  /// By the names of the object types. Root types are in `queries`, `mutations` and `subscriptions`.
  var objects: [String: FieldTable<FieldResolver<Context>>] = [:]
  /// The Swift types of the object types, by the names of these. Several for a name are a fault.
  var swiftTypes: [String: [any Sendable.Type]] = [:]
  var queries = FieldTable<FieldResolver<Context>>()
  var mutations = FieldTable<FieldResolver<Context>>()
  var subscriptions = FieldTable<EventSequence<Context>>()
  var scalars = ScalarTypes()
  var enums: [EnumType] = []
  /// The Swift types of interfaces and unions, by the names of these.
  var abstractTypes: [String: [AbstractType]] = [:]
  /// By the names of directives. Several for a name are a fault.
  var directives: [String: [DirectiveHandler<Context>]] = [:]
  var ignoredDirectives: Set<String> = []
  var makeClientError: (@Sendable (any Error, Context) -> GraphQLError?)?
  var handleError: (@Sendable (any Error, String, Context) -> Void)?
  package var makeCaller: (@Sendable (Context) -> GraphQLCaller?)?
  package var makeEventContext: (@Sendable (Context) throws -> Context)?

  /// Creates a schema without resolvers.
  ///
  /// - Parameter text: A document in the schema definition language. It is checked when an engine or a server is made
  ///   of the schema.
  public init(_ text: String) { self.text = text }

  // MARK: Queries and mutations

  /// Resolves a field of the query type.
  public mutating func query<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) throws -> Value
  ) {
    queries.add(field, of: Value.self, .value { _, request in try resolve(request) })
  }

  /// Resolves a field of the query type with a closure that awaits.
  public mutating func query<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> Value
  ) {
    queries.add(field, of: Value.self, .asyncValue { _, request in try await resolve(request) })
  }

  /// Resolves a field of the mutation type. The root fields of a mutation are resolved serially.
  ///
  /// When the client disconnects, a closure that is running is finished, and the further root fields are not resolved.
  /// The closure runs in a task that is not cancelled. Limit the time of what it awaits.
  public mutating func mutation<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> Value
  ) {
    mutations.add(field, of: Value.self, .mutation { request in try await resolve(request) })
  }

  // MARK: Subscriptions

  /// Resolves a field of the subscription type with the elements of an asynchronous sequence.
  ///
  /// The closure is called once for each subscription. Its sequence is read until the client ends the subscription,
  /// which cancels the sequence's task. The subscription ends with the sequence. A `GraphQLError` that the closure or
  /// the sequence throws ends the subscription with that error. `GraphQLTopics` has sequences of what is published.
  ///
  /// The next element is read after the fields of the previous event are resolved and the client accepts more. A client
  /// that reads nothing for some time is disconnected.
  public mutating func subscription<Events: AsyncSequence & SendableMetatype>(
    _ field: String,
    _ events: @escaping @Sendable (FieldRequest<Context>) async throws -> Events
  ) where Events.Element: Sendable, Events.AsyncIterator: SendableMetatype {
    let sequence: EventSequence<Context> = { request in
      var iterator = try await events(request).makeAsyncIterator()
      return { try await iterator.next(isolation: nil) }
    }
    subscriptions.add(field, of: Events.Element.self, sequence)
  }

  // MARK: Objects

  /// Resolves the fields of an object type, whose objects are Swift values of one type.
  ///
  /// If a field's type is an interface or a union, the Swift type of a value determines its object type. Its object
  /// types must therefore have different Swift types, unless `abstractType(_:_:typeName:)` tells them apart. A subclass
  /// of a registered class is not registered by that.
  ///
  /// An object type is registered with one Swift type; a further call with the same type adds resolvers. The fields of
  /// root types are resolved with `query`, `mutation` and `subscription` instead.
  ///
  /// - Parameters:
  ///   - name: The name of the object type in the schema.
  ///   - type: The Swift type of its objects.
  ///   - fields: A closure that adds the resolvers of its fields.
  public mutating func object<Value: Sendable>(
    _ name: String,
    _ type: Value.Type,
    _ fields: (inout ObjectFields<Value, Context>) -> Void
  ) {
    var added = ObjectFields<Value, Context>()
    fields(&added)
    if swiftTypes[name]?.contains(where: { $0 == type }) != true { swiftTypes[name, default: []].append(type) }
    objects[name, default: FieldTable()].add(added.resolvers)
  }
}
