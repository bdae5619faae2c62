extension ObjectFields {
  /// Resolves a field by a key of each object, with a loader of the context.
  ///
  /// The keys of all fields of a response's level that use the loader are loaded with one call, also those of objects
  /// of different types. A key that the request has loaded before is not loaded again. A key without a value resolves
  /// to `null`, or to an empty list if the field's type is a list.
  ///
  /// ```swift
  /// message.field("author", by: \.authorID, with: \.users)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - key: The key of an object.
  ///   - loader: The loader.
  @_disfavoredOverload  // A key path to an optional key fits, too, and has an overload of its own.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key> & Sendable,
    with loader: any KeyPath<Context, GraphQLLoader<Key, Value>> & Sendable
  ) {
    load(name, with: loader) { $0[keyPath: key] }
  }

  /// Resolves a field by a key that some objects lack, with a loader of the context.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - key: The key of an object. Without one, its field is `null`, or an empty list.
  ///   - loader: The loader.
  public mutating func field<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    by key: any KeyPath<Parent, Key?> & Sendable,
    with loader: any KeyPath<Context, GraphQLLoader<Key, Value>> & Sendable
  ) {
    load(name, with: loader) { $0[keyPath: key] }
  }

  /// Resolves a field whose type is a list by several keys of each object, with a loader of the context.
  ///
  /// The list has the values in the order of the keys, and `null` for a key without a value. An error of a key is that
  /// of the field.
  ///
  /// ```swift
  /// room.field("members", byEach: \.memberIDs, with: \.users)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - keys: The keys of an object.
  ///   - loader: The loader.
  public mutating func field<Keys: Sequence & Sendable, Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    byEach keys: any KeyPath<Parent, Keys> & Sendable,
    with loader: any KeyPath<Context, GraphQLLoader<Key, Value>> & Sendable
  ) where Keys.Element == Key {
    let resolver = FieldResolver<Context>.loaded { parents, request in
      let loader = request.context[keyPath: loader]
      let keys = try parents.map { Array(try Self.parent($0)[keyPath: keys]) }
      loader.gather(keys.flatMap(\.self))
      return {
        let results = await loader.results(of: keys.flatMap(\.self))
        return keys.map { keys in Result { try keys.map { try results[$0]?.get() ?? nil } } }
      }
    }
    resolvers.add(name, of: [Value?].self, resolver)
  }

  private mutating func load<Key: Hashable & Sendable, Value: Sendable>(
    _ name: String,
    with loader: any KeyPath<Context, GraphQLLoader<Key, Value>> & Sendable,
    by key: @escaping @Sendable (Parent) -> Key?
  ) {
    let resolver = FieldResolver<Context>.loaded { parents, request in
      let loader = request.context[keyPath: loader]
      let keys = try parents.map { key(try Self.parent($0)) }
      loader.gather(keys.compactMap(\.self))
      return {
        let results = await loader.results(of: keys.compactMap(\.self))
        return keys.map { key in
          Result { try key.flatMap { try results[$0]?.get() ?? nil } }
        }
      }
    }
    resolvers.add(name, of: Value.self, resolver)
  }
}
