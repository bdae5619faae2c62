import GraphQL

/// Determines the results of selection sets. It performs field collection as execution does (specification, section
/// 6.3.2), but for all possible types and conditions.
struct SelectionCollector {
  private let client: ClientDocument
  private var document: Document { client.document }
  private var schema: Schema { client.schema }
  /// The selection sets that must select `__typename`, so that the response identifies the case.
  private(set) var setsWithCases: Set<NodeIndex> = []
  /// The selections for which no type can be generated.
  private(set) var faults: [String] = []

  init(_ client: ClientDocument) { self.client = client }

  /// One selection of a field.
  private struct Occurrence {
    let field: NodeIndex
    let parent: TypeID
    let isConditional: Bool
  }

  private struct Collected {
    var keys: [String] = []
    var occurrences: [String: [Occurrence]] = [:]
    var fragments: [String] = []
  }

  private struct SelectionSet {
    let node: NodeIndex
    let isConditional: Bool
  }

  /// The result of the selection set of an operation or a fragment.
  mutating func selection(of definition: NodeIndex, on type: TypeID) -> Selection {
    guard let set = document.firstChild(of: definition, .selectionSet) else {
      return Selection(possibleTypes: [], fields: [], fragments: [], cases: [])
    }
    return selection([SelectionSet(node: set, isConditional: false)], on: type)
  }

  private mutating func selection(_ sets: [SelectionSet], on type: TypeID) -> Selection {
    var common = Collected()
    for set in sets { collect(set.node, on: type, for: schema[type].possibleTypes, set.isConditional, into: &common) }
    var selection = finished(common, for: schema[type].possibleTypes)
    let narrowed = schema[type].possibleTypes.filter { object in
      sets.contains { depends($0.node, on: type, object) }
    }
    guard !narrowed.isEmpty else { return selection }
    setsWithCases.formUnion(sets.map(\.node))
    for object in narrowed {
      var collected = Collected()
      for set in sets { collect(set.node, on: type, for: [object], set.isConditional, into: &collected) }
      selection.cases.append(.init(typeName: schema[object].name, selection: finished(collected, for: [object])))
    }
    return selection
  }

  /// Whether something is selected for objects of one type that is not selected for all of `type`.
  private func depends(_ set: NodeIndex, on type: TypeID, _ object: TypeID) -> Bool {
    document.children(of: set).contains { node in
      guard let (condition, inner) = fragment(node, on: type), schema.isPossible(object, for: condition) else {
        return false
      }
      if !covers(condition, objects: schema[type].possibleTypes) { return true }
      return document[node].kind == .inlineFragment && depends(inner, on: condition, object)
    }
  }

  private func covers(_ condition: TypeID, objects: [TypeID]) -> Bool {
    objects.allSatisfy { schema.isPossible($0, for: condition) }
  }

  /// The type condition and the selection set of a spread or an inline fragment.
  private func fragment(_ node: NodeIndex, on type: TypeID) -> (condition: TypeID, set: NodeIndex)? {
    let definition: NodeIndex
    switch document[node].kind {
    case .inlineFragment: definition = node
    case .fragmentSpread:
      guard let spread = client.fragments[document.name(node)] else { return nil }
      definition = spread
    default: return nil
    }
    guard let set = document.firstChild(of: definition, .selectionSet) else { return nil }
    let condition = document.firstChild(of: definition, .namedType).flatMap { schema.type(named: document.name($0)) }
    return (condition ?? type, set)
  }

  /// Collects the fields that are selected for all of `objects`.
  private func collect(
    _ set: NodeIndex,
    on type: TypeID,
    for objects: [TypeID],
    _ isConditional: Bool,
    into collected: inout Collected
  ) {
    for node in document.children(of: set) {
      let isConditional =
        isConditional
        || document.children(of: node, .directive).contains { ["skip", "include"].contains(document.name($0)) }
      if document[node].kind == .field {
        let key = document.responseKey(of: node)
        if collected.occurrences[key] == nil { collected.keys.append(key) }
        collected.occurrences[key, default: []].append(
          Occurrence(field: node, parent: type, isConditional: isConditional)
        )
      } else if let (condition, inner) = fragment(node, on: type), covers(condition, objects: objects) {
        // A fragment that can be excluded cannot be decoded as a whole: its fields become those of the selection.
        if document[node].kind == .fragmentSpread && !isConditional {
          let name = document.name(node)
          if !collected.fragments.contains(name) { collected.fragments.append(name) }
        } else {
          collect(inner, on: condition, for: objects, isConditional, into: &collected)
        }
      }
    }
  }

  private mutating func finished(_ collected: Collected, for objects: [TypeID]) -> Selection {
    var fields: [Selection.Field] = []
    for key in collected.keys {
      let occurrences = collected.occurrences[key] ?? []
      guard let first = occurrences.first else { continue }
      let name = document.name(first.field)
      let isConditional = occurrences.allSatisfy(\.isConditional)
      guard name != "__typename" else {
        guard let string = schema.type(named: "String") else { continue }
        let type = TypeReference(type: string).wrappedInNonNull
        fields.append(
          .init(key: key, name: name, description: nil, type: type, isConditional: isConditional, selection: nil)
        )
        continue
      }
      guard let definition = schema[first.parent].field(name) else {
        faults.append("`\(name)` is an introspection field, which generated clients do not support.")
        continue
      }
      let sets = occurrences.compactMap { occurrence in
        document.firstChild(of: occurrence.field, .selectionSet).map {
          // If the field is always present, subfields that only one of its selections contains can be missing.
          SelectionSet(node: $0, isConditional: occurrence.isConditional && occurrences.count > 1)
        }
      }
      fields.append(
        .init(
          key: key,
          name: name,
          description: definition.description,
          type: definition.type,
          isConditional: isConditional,
          selection: sets.isEmpty ? nil : selection(sets, on: definition.type.type)
        )
      )
    }
    return Selection(
      possibleTypes: objects.map { schema[$0].name },
      fields: fields,
      fragments: collected.fragments,
      cases: []
    )
  }
}
