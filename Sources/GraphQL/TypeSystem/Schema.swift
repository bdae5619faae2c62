import Synchronization

/// A schema: its types, its directives and its root operation types (specification, section 3.3). Created by
/// `SchemaBuilder` and immutable.
package final class Schema: Sendable {
  package let description: String?
  package let types: [TypeDefinition]
  package let typeNames: NameTable
  package let directives: [DirectiveDefinition]
  package let directiveNames: NameTable
  package let queryType: TypeID
  package let mutationType: TypeID?
  package let subscriptionType: TypeID?
  /// The coercions of the scalars, by the index of their type; nil for other types.
  package let scalars: [ScalarCoercion?]
  package let appliedDirectives: [AppliedDirective]
  /// The same definitions in tables for fast lookup by the nodes of a document.
  package let index: SchemaIndex
  private let knownIntrospection = Mutex<IntrospectionTable?>(nil)

  init(
    description: String?,
    types: [TypeDefinition],
    directives: [DirectiveDefinition],
    queryType: TypeID,
    mutationType: TypeID?,
    subscriptionType: TypeID?,
    scalars: [ScalarCoercion?],
    appliedDirectives: [AppliedDirective]
  ) {
    self.description = description
    self.types = types
    typeNames = NameTable(types.map(\.name))
    self.directives = directives
    directiveNames = NameTable(directives.map(\.name))
    self.queryType = queryType
    self.mutationType = mutationType
    self.subscriptionType = subscriptionType
    self.scalars = scalars
    self.appliedDirectives = appliedDirectives
    index = SchemaIndex(types: types, typeNames: typeNames, directives: directives, queryType: queryType)
  }

  /// Made for the first document with introspection: a schema is built in several steps, and each step is a schema.
  package var introspection: IntrospectionTable {
    knownIntrospection.withLock { known in
      if let known { return known }
      let made = IntrospectionTableBuilder(self).build()
      known = made
      return made
    }
  }

  package subscript(_ id: TypeID) -> TypeDefinition { types[id.index] }

  package func type(named name: String) -> TypeID? { typeNames.index(of: name).map(TypeID.init) }

  package func rootType(_ operation: OperationType) -> TypeID? {
    switch operation {
    case .query: queryType
    case .mutation: mutationType
    case .subscription: subscriptionType
    }
  }

  /// Whether an object of type `object` is allowed where `type` is expected (specification, `DoesFragmentTypeApply`).
  package func isPossible(_ object: TypeID, for type: TypeID) -> Bool {
    index.overlap(object.index, type.index)
  }

  /// The type in GraphQL syntax, such as `[Chore!]!`.
  package func name(of reference: TypeReference) -> String {
    if reference.isNonNull { return name(of: reference.nullable) + "!" }
    if reference.isList { return "[" + name(of: reference.item) + "]" }
    return types[reference.type.index].name
  }

  /// The type that a document references, or nil if the schema has no type of that name or the type has too many
  /// wrappers.
  package func reference(_ node: NodeIndex, in document: Document) -> TypeReference? {
    let (wrappers, named) = document.unwrapped(node)
    guard wrappers.count <= TypeReference.maximumWrappers, let index = typeNames.index(of: named, in: document) else {
      return nil
    }
    return TypeReference(TypeID(index), in: wrappers)
  }
}

package enum OperationType: String, CaseIterable, Sendable {
  case query, mutation, subscription

  /// The default name of the root operation type (specification, section 3.3.1).
  package var defaultTypeName: String {
    switch self {
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }

  package init(_ flags: NodeFlags) {
    self = flags.contains(.mutation) ? .mutation : flags.contains(.subscription) ? .subscription : .query
  }
}
