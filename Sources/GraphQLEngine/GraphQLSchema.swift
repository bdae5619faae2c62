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
///   book.field("title", \.title)
///   book.field("author", by: \.authorID) { ids, request in await request.context.library.authors(ids) }
/// }
/// schema.object("Author", Author.self) { author in
///   author.field("name", \.name)
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
  var objects: [String: [String: FieldResolver<Context>]] = [:]
  /// The Swift types of the object types, by the names of these. Several for a name are a fault.
  var swiftTypes: [String: [any Sendable.Type]] = [:]
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

  /// Resolves a field of the query type with a closure that awaits.
  public mutating func query<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> Value
  ) {
    queries[field] = .asyncValue { _, request in try await resolve(request) }
  }

  /// Resolves a field of the mutation type. The root fields of a mutation are resolved serially.
  public mutating func mutation<Value: Sendable>(
    _ field: String,
    _ resolve: @escaping @Sendable (FieldRequest<Context>) async throws -> Value
  ) {
    mutations[field] = .asyncValue { _, request in try await resolve(request) }
  }

  // MARK: Subscriptions

  /// Resolves a field of the subscription type with the elements of an asynchronous sequence.
  ///
  /// The closure is called once for each subscription. Its sequence is read until the client ends the subscription,
  /// which cancels the sequence's task. The subscription ends with the sequence. A `GraphQLError` that the closure or
  /// the sequence throws ends the subscription with that error.
  ///
  /// The next element is read after the fields of the previous event are resolved and the client accepts more. A client
  /// that reads nothing for some time is disconnected.
  public mutating func subscription<Events: AsyncSequence & SendableMetatype>(
    _ field: String,
    _ events: @escaping @Sendable (FieldRequest<Context>) async throws -> Events
  ) where Events.Element: Sendable, Events.AsyncIterator: SendableMetatype {
    subscriptions[field] = { request in
      var iterator = try await events(request).makeAsyncIterator()
      return { try await iterator.next(isolation: nil) }
    }
  }

  // MARK: Objects

  /// Resolves the fields of an object type, whose objects are Swift values of one type.
  ///
  /// If a field's type is an interface or a union, the Swift type of a value determines its object type. Its object
  /// types must therefore have different Swift types. A subclass of a registered class is not registered by that.
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
    objects[name, default: [:]].merge(added.resolvers) { _, new in new }
  }
}

/// The resolvers of an object type's fields.
public struct ObjectFields<Parent: Sendable, Context: Sendable> {
  var resolvers: [String: FieldResolver<Context>] = [:]

  /// Resolves a field with a property of the object.
  public mutating func field<Value: Sendable>(_ name: String, _ property: any KeyPath<Parent, Value> & Sendable) {
    resolvers[name] = .value { parent, _ in try Self.parent(parent)[keyPath: property] }
  }

  /// Resolves a field with a closure of the object.
  public mutating func field<Value: Sendable>(
    _ name: String,
    _ resolve: @escaping @Sendable (Parent, FieldRequest<Context>) throws -> Value
  ) {
    resolvers[name] = .value { parent, request in try resolve(try Self.parent(parent), request) }
  }

  /// Resolves a field with a closure of the object that awaits. It is called for all objects of a list concurrently.
  ///
  /// If each call would query a database, use `field(_:by:_:)`, which loads all objects with one call.
  public mutating func field<Value: Sendable>(
    _ name: String,
    _ resolve: @escaping @Sendable (Parent, FieldRequest<Context>) async throws -> Value
  ) {
    resolvers[name] = .asyncValue { parent, request in try await resolve(try Self.parent(parent), request) }
  }

  /// Resolves a field for all objects of a response's level at once, by a key of each.
  ///
  /// This avoids the N+1 problem: the authors of 50 books are loaded with one call. The closure gets each key once, in
  /// the order of the objects, and returns the value of each key. A key that is missing in the dictionary resolves to
  /// `null`, or to an empty list if the field's type is a list.
  ///
  /// ```swift
  /// book.field("author", by: \.authorID) { ids, request in
  ///   try await request.context.database.authors(ids)  // [Author.ID: Author]
  /// }
  /// ```
  ///
  /// An error that the closure throws is the error of all objects.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Value]
  ) {
    resolvers[name] = .batch { parents, request in
      try await Self.values(of: parents, by: key) { try await load($0, request) }.map { .success($0) }
    }
  }

  /// Resolves a field for all objects of a response's level at once, by a key of each, where single keys can fail.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - key: The key of an object.
  ///   - load: A closure that returns the value of each key, or its error.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Result<Value, any Error>]
  ) {
    resolvers[name] = .batch { parents, request in
      try await Self.values(of: parents, by: key) { try await load($0, request) }
        .map { result in result.map { result in result.map { $0 } } ?? .success(nil) }
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
      try await Self.values(of: parents) { try await load($0, request) }.map { .success($0) }
    }
  }

  /// Resolves a field for all objects of a response's level at once, where single objects can fail.
  ///
  /// - Parameter load: A closure that returns one value or error for each object, in the order of the objects.
  public mutating func batchedField<Value: Sendable>(
    _ name: String,
    _ load: @escaping @Sendable ([Parent], FieldRequest<Context>) async throws -> [Result<Value, any Error>]
  ) {
    resolvers[name] = .batch { parents, request in
      try await Self.values(of: parents) { try await load($0, request) }.map { result in result.map { $0 } }
    }
  }

  /// What was loaded for the key of each object.
  private static func values<Key: Hashable, Loaded>(
    of parents: [any Sendable],
    by key: KeyPath<Parent, Key>,
    _ load: ([Key]) async throws -> [Key: Loaded]
  ) async throws -> [Loaded?] {
    let keys = try parents.map { try parent($0)[keyPath: key] }
    var seen: Set<Key> = []
    let loaded = try await load(keys.filter { seen.insert($0).inserted })
    return keys.map { loaded[$0] }
  }

  /// What was loaded for each object.
  private static func values<Loaded>(
    of parents: [any Sendable],
    _ load: ([Parent]) async throws -> [Loaded]
  ) async throws -> [Loaded] {
    let loaded = try await load(try parents.map { try parent($0) })
    guard loaded.count == parents.count else {
      throw UnsuitableValue(description: "\(loaded.count) values were returned for \(parents.count) objects")
    }
    return loaded
  }

  private static func parent(_ value: any Sendable) throws -> Parent {
    guard let object = value as? ObjectValue, let parent = object.value as? Parent else {
      // Not the object itself, which can contain personal data.
      let given = (value as? ObjectValue).map { type(of: $0.value) } ?? type(of: value)
      throw UnsuitableValue(description: "The object is of type \(given), and its fields are those of \(Parent.self)")
    }
    return parent
  }
}
