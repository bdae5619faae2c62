/// A schema: its types, its directives and its root operation types (specification, section 3.3). Built once by
/// `SchemaBuilder`, never changed after.
package final class Schema: Sendable {
  package let description: String?
  package let types: [TypeDefinition]
  package let typeNames: NameTable
  package let directives: [DirectiveDefinition]
  package let directiveNames: NameTable
  package let queryType: TypeID
  package let mutationType: TypeID?
  package let subscriptionType: TypeID?
  package let scalars: [TypeID: ScalarCoercion]
  package let appliedDirectives: [AppliedDirective]
  /// For every abstract type, a bit for each type of the schema: which object types it may be.
  private let possible: [TypeID: [Bool]]
  /// The same definitions, laid out for being looked up by the nodes of a document.
  package let index: SchemaIndex

  init(
    description: String?,
    types: [TypeDefinition],
    directives: [DirectiveDefinition],
    queryType: TypeID,
    mutationType: TypeID?,
    subscriptionType: TypeID?,
    scalars: [TypeID: ScalarCoercion],
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
    var possible: [TypeID: [Bool]] = [:]
    for (index, type) in types.enumerated() where type.isAbstract {
      var bits = Array(repeating: false, count: types.count)
      for member in type.possibleTypes { bits[member.index] = true }
      possible[TypeID(index)] = bits
    }
    self.possible = possible
    index = SchemaIndex(types: types, typeNames: typeNames, directives: directives, queryType: queryType)
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

  /// Whether an object of type `object` may stand where `type` is expected (specification, `DoesFragmentTypeApply`).
  package func isPossible(_ object: TypeID, for type: TypeID) -> Bool {
    object == type || possible[type]?[object.index] == true
  }

  /// How the type is written: `[Chore!]!`.
  package func name(of reference: TypeReference) -> String {
    if reference.isNonNull { return name(of: reference.nullable) + "!" }
    if reference.isList { return "[" + name(of: reference.item) + "]" }
    return types[reference.type.index].name
  }

  /// The type that a document names, or nil where the schema has none of that name or it is wrapped too deeply.
  package func reference(_ node: NodeIndex, in document: Document) -> TypeReference? {
    var wrappers: [NodeKind] = []
    var at = node
    while document[at].kind != .namedType {
      wrappers.append(document[at].kind)
      at += 1
    }
    guard wrappers.count <= TypeReference.maximumWrappers, let index = typeNames.index(of: at, in: document) else {
      return nil
    }
    var reference = TypeReference(type: TypeID(index))
    for wrapper in wrappers.reversed() {
      reference = wrapper == .listType ? reference.wrappedInList : reference.wrappedInNonNull
    }
    return reference
  }
}

package enum OperationType: String, CaseIterable, Sendable {
  case query, mutation, subscription

  /// The name of its root type where a schema does not say (specification, section 3.3.1).
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
