/// The resolvers of an object type's fields.
public struct ObjectFields<Parent: Sendable, Context: Sendable> {
  var resolvers = FieldTable<FieldResolver<Context>>()

  /// Resolves a field with a property of the object.
  public mutating func field<Value: Sendable>(_ name: String, _ property: any KeyPath<Parent, Value> & Sendable) {
    resolvers.add(name, of: Value.self, .value { parent, _ in try Self.parent(parent)[keyPath: property] })
  }

  /// Resolves a field with a closure of the object.
  public mutating func field<Value: Sendable>(
    _ name: String,
    _ resolve: @escaping @Sendable (Parent, FieldRequest<Context>) throws -> Value
  ) {
    resolvers.add(name, of: Value.self, .value { parent, request in try resolve(try Self.parent(parent), request) })
  }

  /// Resolves a field with a closure of the object that awaits. It is called for all objects of a list concurrently.
  ///
  /// If each call would query a database, use `field(_:by:_:)` or `field(_:by:with:)`, which load all objects with one
  /// call.
  public mutating func field<Value: Sendable>(
    _ name: String,
    _ resolve: @escaping @Sendable (Parent, FieldRequest<Context>) async throws -> Value
  ) {
    let resolver = FieldResolver<Context>.asyncValue { parent, request in
      try await resolve(try Self.parent(parent), request)
    }
    resolvers.add(name, of: Value.self, resolver)
  }

  /// Resolves a field for all objects of a response's level at once, by a key of each.
  ///
  /// This avoids the N+1 problem: the authors of 50 books are loaded with one call. The closure gets each key once, in
  /// the order of the objects, and returns the value of each key. A key that is missing in the dictionary resolves to
  /// `null`, or to an empty list if the field's type is a list. The closure is called for each object type and level,
  /// and for each set of arguments; `field(_:by:with:)` loads a key once for the whole request.
  ///
  /// ```swift
  /// book.field("author", by: \Book.authorID) { ids, request in
  ///   try await request.context.database.authors(ids)  // [Author.ID: Author]
  /// }
  /// ```
  ///
  /// An error that the closure throws is the error of all objects.
  @_disfavoredOverload  // A key path to an optional key fits, too, and has an overload of its own.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Value]
  ) {
    batch(name, of: Value.self) { parents, request in
      try await Self.values(of: parents, by: key) { try await load($0, request) }.map { .success($0) }
    }
  }

  /// Resolves a field for all objects of a response's level at once, by a key of each, where single keys can fail.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - key: The key of an object.
  ///   - load: A closure that returns the value of each key, or its error.
  @_disfavoredOverload  // A key path to an optional key fits, too, and has an overload of its own.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Result<Value, any Error>]
  ) {
    batch(name, of: Value.self) { parents, request in
      try await Self.values(of: parents, by: key) { try await load($0, request) }.map(Self.optional)
    }
  }

  /// Resolves a field for all objects of a response's level at once, by a key that some objects lack.
  ///
  /// The field of an object without a key is `null`, or an empty list. The closure gets the keys of the others, and is
  /// not called if all objects lack the key.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key?> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Value]
  ) {
    batch(name, of: Value.self) { parents, request in
      try await Self.values(of: parents, byOptional: key) { try await load($0, request) }.map { .success($0) }
    }
  }

  /// Resolves a field for all objects of a response's level at once, by a key that some objects lack, where single keys
  /// can fail.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - key: The key of an object. Without one, its field is `null`, or an empty list.
  ///   - load: A closure that returns the value of each key, or its error. It is not called without keys.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key?> & Sendable,
    _ load: @escaping @Sendable ([Key], FieldRequest<Context>) async throws -> [Key: Result<Value, any Error>]
  ) {
    batch(name, of: Value.self) { parents, request in
      try await Self.values(of: parents, byOptional: key) { try await load($0, request) }.map(Self.optional)
    }
  }

  /// Resolves a field for all objects of a response's level at once.
  ///
  /// - Parameter load: A closure that returns one value for each object, in the order of the objects.
  public mutating func batchedField<Value: Sendable>(
    _ name: String,
    _ load: @escaping @Sendable ([Parent], FieldRequest<Context>) async throws -> [Value]
  ) {
    batch(name, of: Value.self) { parents, request in
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
    batch(name, of: Value.self) { parents, request in
      try await Self.values(of: parents) { try await load($0, request) }.map { result in result.map { $0 } }
    }
  }

  private mutating func batch(
    _ name: String,
    of valueType: any Sendable.Type,
    _ load:
      @escaping @Sendable ([any Sendable], FieldRequest<Context>) async throws -> [Result<(any Sendable)?, any Error>]
  ) {
    resolvers.add(name, of: valueType, .batch(load))
  }

  private static func optional<Value: Sendable>(
    _ result: Result<Value, any Error>?
  ) -> Result<(any Sendable)?, any Error> {
    result.map { result in result.map { $0 } } ?? .success(nil)
  }

  /// What was loaded for the key of each object.
  private static func values<Key: Hashable, Loaded>(
    of parents: [any Sendable],
    by key: KeyPath<Parent, Key>,
    _ load: ([Key]) async throws -> [Key: Loaded]
  ) async throws -> [Loaded?] {
    let keys = try parents.map { try parent($0)[keyPath: key] }
    let loaded = try await load(distinct(keys))
    return keys.map { loaded[$0] }
  }

  /// What was loaded for the key of each object that has one.
  private static func values<Key: Hashable, Loaded>(
    of parents: [any Sendable],
    byOptional key: KeyPath<Parent, Key?>,
    _ load: ([Key]) async throws -> [Key: Loaded]
  ) async throws -> [Loaded?] {
    let keys = try parents.map { try parent($0)[keyPath: key] }
    let known = distinct(keys.compactMap(\.self))
    let loaded = known.isEmpty ? [:] : try await load(known)
    return keys.map { key in key.flatMap { loaded[$0] } }
  }

  private static func distinct<Key: Hashable>(_ keys: [Key]) -> [Key] {
    var seen: Set<Key> = []
    return keys.filter { seen.insert($0).inserted }
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

  static func parent(_ value: any Sendable) throws -> Parent {
    guard let object = value as? ObjectValue, let parent = object.value as? Parent else {
      // Not the object itself, which can contain personal data.
      let given = (value as? ObjectValue).map { type(of: $0.value) } ?? type(of: value)
      throw UnsuitableValue(description: "The object is of type \(given), and its fields are those of \(Parent.self)")
    }
    return parent
  }
}
