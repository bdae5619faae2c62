import GraphQL

/// Which fields of the documents contribute to the same value of a response, because they have the same key in the same
/// object (specification, section 6.3.2). Types are generated for each fragment alone, but are decoded from values to
/// which others have contributed.
struct FieldMerges {
  private struct Place: Hashable {
    let field: NodeIndex
    let object: TypeID
  }

  /// The selection sets of one object.
  private struct Object: Hashable {
    let sets: Set<NodeIndex>
    let type: TypeID
  }

  private let client: ClientDocument
  private var document: Document { client.document }
  private var schema: Schema { client.schema }
  /// The fields that have the same key, by each of them. Fields with a key of their own have no entry.
  private var merged: [Place: Set<NodeIndex>] = [:]
  private var visited: Set<Object> = []

  init(_ client: ClientDocument) {
    self.client = client
    for operation in client.operations {
      guard let root = client.schema.rootType(OperationType(client.document[operation].flags)),
        let set = client.document.firstChild(of: operation, .selectionSet)
      else { continue }
      visit([set], on: root)
    }
  }

  /// The selection sets of other fields that contribute to the value of a field, in objects of any of these types.
  func others(with field: NodeIndex, in objects: [TypeID]) -> Set<NodeIndex> {
    var fields: Set<NodeIndex> = []
    for object in objects { fields.formUnion(merged[Place(field: field, object: object)] ?? []) }
    fields.remove(field)
    return sets(of: fields)
  }

  private mutating func visit(_ sets: Set<NodeIndex>, on type: TypeID) {
    guard !sets.isEmpty, visited.insert(Object(sets: sets, type: type)).inserted else { return }
    for object in schema[type].possibleTypes {
      var fields: [String: Set<NodeIndex>] = [:]
      var fragments: Set<NodeIndex> = []
      for set in sets { collect(set, on: type, for: object, into: &fields, &fragments) }
      for same in fields.values {
        if same.count > 1 {
          for field in same { merged[Place(field: field, object: object), default: []].formUnion(same) }
        }
        guard let first = same.first, let definition = schema[object].field(document.name(first)) else { continue }
        visit(self.sets(of: same), on: definition.type.type)
      }
    }
  }

  private func collect(
    _ set: NodeIndex,
    on type: TypeID,
    for object: TypeID,
    into fields: inout [String: Set<NodeIndex>],
    _ fragments: inout Set<NodeIndex>
  ) {
    for node in document.children(of: set) {
      if document[node].kind == .field {
        fields[document.responseKey(of: node), default: []].insert(node)
      } else if let (condition, inner) = client.fragment(node, on: type), schema.isPossible(object, for: condition),
        fragments.insert(inner).inserted
      {
        collect(inner, on: condition, for: object, into: &fields, &fragments)
      }
    }
  }

  private func sets(of fields: Set<NodeIndex>) -> Set<NodeIndex> {
    Set(fields.compactMap { document.firstChild(of: $0, .selectionSet) })
  }
}
