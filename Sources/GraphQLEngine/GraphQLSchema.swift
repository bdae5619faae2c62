/// A GraphQL schema, and the Swift closures that resolve its fields.
///
/// The schema is written in the schema definition language. Each field of it gets a closure, which returns Swift
/// values: strings, numbers, booleans and enums for scalars and enums, values of any of your types for objects, arrays
/// for lists, and optionals for what can be `null`.
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
///   book.field("title", \.title)
///   book.field("author", by: \.authorID) { ids, request in await request.context.library.authors(ids) }
/// }
/// schema.object("Author", Author.self) { author in
///   author.field("name", \.name)
/// }
/// ```
///
/// `Context` is a type of yours. A value of it is made for each request, and every resolver of the request can read it:
/// who the client is, and what the resolvers need, such as a connection to a database.
///
/// A field whose closure does not wait is resolved at once. Closures that wait run on the server's event loop between
/// their suspensions, as other requests do: do not block in one, but `await`.
public struct GraphQLSchema<Context: Sendable>: Sendable {
  /// The schema as it was given.
  let text: String
  /// By the names of the object types. Those of the root types are in `roots`.
  var objects: [String: [String: FieldResolver<Context>]] = [:]
  var names: [ObjectIdentifier: String] = [:]
  var queries: [String: FieldResolver<Context>] = [:]
  var mutations: [String: FieldResolver<Context>] = [:]
  var subscriptions: [String: EventSequence<Context>] = [:]
  var scalars = ScalarTypes()

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
    queries[field] = .value { _, request in try resolve(request) }
  }

  /// Resolves a field of the query type with a closure that waits.
  public mutating func query<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> Value
  ) {
    queries[field] = .asyncValue { _, request in try await resolve(request) }
  }

  /// Resolves a field of the mutation type. The mutations of a request run one after the other.
  public mutating func mutation<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> Value
  ) {
    mutations[field] = .asyncValue { _, request in try await resolve(request) }
  }

  // MARK: Subscriptions

  /// Resolves a field of the subscription type with the elements of an asynchronous sequence.
  ///
  /// The closure is called for each subscription, and its sequence read until the client ends the subscription: the
  /// sequence's task is cancelled then. The subscription ends with the sequence. A `GraphQLError` that the closure or
  /// the sequence throws ends the subscription with that error.
  ///
  /// The next element is read when the fields of the one before it have been resolved. A client that does not take its
  /// events is disconnected.
  public mutating func subscription<Events: AsyncSequence & SendableMetatype>(
    _ field: String,
    _ events: @escaping @Sendable (FieldRequest<Context>) async throws -> Events
  ) where Events.Element: Sendable, Events.AsyncIterator: SendableMetatype {
    subscriptions[field] = { request, publish in
      for try await event in try await events(request) { await publish(event) }
    }
  }

  // MARK: Objects

  /// Resolves the fields of an object type, whose objects are Swift values of one type.
  ///
  /// Where a field's type is an interface or a union, the Swift type of a value decides which object type it is.
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
    names[ObjectIdentifier(type)] = name
    objects[name, default: [:]].merge(added.resolvers) { _, new in new }
  }
}

/// The resolvers of an object type's fields.
public struct ObjectFields<Parent: Sendable, Context: Sendable> {
  var resolvers: [String: FieldResolver<Context>] = [:]

  /// Resolves a field by a property of the object.
  public mutating func field<Value: Sendable>(_ name: String, _ property: any KeyPath<Parent, Value> & Sendable) {
    resolvers[name] = .value { parent, _ in try Self.parent(parent)[keyPath: property] }
  }

  /// Resolves a field by a closure of the object.
  public mutating func field<Value: Sendable>(
    _ name: String,
    _ resolve: @escaping @Sendable (Parent, FieldRequest<Context>) throws -> Value
  ) {
    resolvers[name] = .value { parent, request in try resolve(try Self.parent(parent), request) }
  }

  /// Resolves a field by a closure of the object that waits. It is called for all objects of a list at the same time.
  ///
  /// Where each call would ask a database, `field(_:by:_:)` asks it once for all objects.
  public mutating func field<Value: Sendable>(
    _ name: String,
    _ resolve: @escaping @Sendable (Parent, FieldRequest<Context>) async throws -> Value
  ) {
    resolvers[name] = .asyncValue { parent, request in try await resolve(try Self.parent(parent), request) }
  }

  /// Resolves a field for all objects of a response's level at once, by a key of each.
  ///
  /// This is what avoids the N+1 problem: a list of 50 books asks once for their authors. The closure gets each key
  /// once, in the order in which they occur, and returns what belongs to each. A field is `null` where its key is
  /// missing in the dictionary, and an empty list where the schema's type is a list.
  ///
  /// ```swift
  /// book.field("author", by: \.authorID) { ids, request in
  ///   try await request.context.database.authors(ids)  // [Author.ID: Author]
  /// }
  /// ```
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Value]
  ) {
    resolvers[name] = .batch { parents, request in
      let keys = try parents.map { try Self.parent($0)[keyPath: key] }
      var seen: Set<Key> = []
      let values = try await load(keys.filter { seen.insert($0).inserted }, request)
      return keys.map { values[$0].map { $0 as any Sendable } }
    }
  }

  /// Resolves a field for all objects of a response's level at once.
  ///
  /// - Parameter load: A closure that returns one value for each object, in the order of the objects.
  public mutating func batchedField<Value: Sendable>(
    _ name: String,
    _ load: @escaping @Sendable ([Parent], FieldRequest<Context>) async throws -> [Value]
  ) {
    resolvers[name] = .batch { parents, request in
      let values = try await load(try parents.map { try Self.parent($0) }, request)
      guard values.count == parents.count else {
        throw UnsuitableValue(description: "\(values.count) values were returned for \(parents.count) objects")
      }
      return values.map { $0 as any Sendable }
    }
  }

  private static func parent(_ value: any Sendable) throws -> Parent {
    guard let object = value as? ObjectValue, let parent = object.value as? Parent else {
      throw UnsuitableValue(description: "The object is \(value), and its fields are those of \(Parent.self)")
    }
    return parent
  }
}
