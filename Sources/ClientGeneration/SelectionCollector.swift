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
  private let merges: FieldMerges

  init(_ client: ClientDocument) {
    self.client = client
    merges = FieldMerges(client)
  }

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
    /// The selection sets that still select the object if this one is excluded.
    var others: Set<NodeIndex> = []
  }

  /// The result of the selection set of an operation or a fragment.
  mutating func selection(of definition: NodeIndex, on type: TypeID) -> Selection {
    guard let set = document.firstChild(of: definition, .selectionSet) else {
      return Selection(possibleTypes: [], isOpen: false, fields: [], fragments: [], cases: [])
    }
    return selection([SelectionSet(node: set, isConditional: false)], on: type)
  }

  private mutating func selection(_ sets: [SelectionSet], on type: TypeID) -> Selection {
    var common = Collected()
    let objects = schema[type].possibleTypes
    for set in sets { collect(set.node, on: type, for: objects, isConditional: set.isConditional, into: &common) }
    var selection = finished(common, for: objects, isOpen: schema[type].isAbstract)
    let narrowed = objects.filter { object in
      sets.contains { depends($0.node, on: type, of: objects, for: object, isConditional: $0.isConditional) }
    }
    guard !narrowed.isEmpty else { return selection }
    setsWithCases.formUnion(sets.map(\.node))
    if sets.allSatisfy(\.isConditional) { for set in sets { setsWithCases.formUnion(set.others) } }
    for object in narrowed {
      var collected = Collected()
      for set in sets {
        collect(set.node, on: type, for: [object], isConditional: set.isConditional, into: &collected)
      }
      let own = finished(collected, for: [object], isOpen: false)
      selection.cases.append(.init(typeName: schema[object].name, selection: own))
    }
    return selection
  }

  /// Whether something is selected for objects of one type that is not selected for all of `objects`.
  private func depends(
    _ set: NodeIndex,
    on type: TypeID,
    of objects: [TypeID],
    for object: TypeID,
    isConditional: Bool
  ) -> Bool {
    document.children(of: set).contains { node in
      guard let (condition, inner) = client.fragment(node, on: type), schema.isPossible(object, for: condition) else {
        return false
      }
      if !covers(condition, objects: objects) { return true }
      let isConditional = isConditional || canBeExcluded(node)
      return isInlined(node, isConditional: isConditional)
        && depends(inner, on: condition, of: objects, for: object, isConditional: isConditional)
    }
  }

  /// Whether `@skip` or `@include` is applied to a selection.
  private func canBeExcluded(_ node: NodeIndex) -> Bool {
    document.children(of: node, .directive).contains { ["skip", "include"].contains(document.name($0)) }
  }

  /// Whether the fields of a spread or an inline fragment become those of the selection. A fragment that can be
  /// excluded cannot be decoded as a whole.
  private func isInlined(_ node: NodeIndex, isConditional: Bool) -> Bool {
    document[node].kind == .inlineFragment || isConditional
  }

  private func covers(_ condition: TypeID, objects: [TypeID]) -> Bool {
    objects.allSatisfy { schema.isPossible($0, for: condition) }
  }

  /// Collects the fields that are selected for all of `objects`.
  private func collect(
    _ set: NodeIndex,
    on type: TypeID,
    for objects: [TypeID],
    isConditional: Bool,
    into collected: inout Collected
  ) {
    for node in document.children(of: set) {
      let isConditional = isConditional || canBeExcluded(node)
      if document[node].kind == .field {
        let key = document.responseKey(of: node)
        if collected.occurrences[key] == nil { collected.keys.append(key) }
        collected.occurrences[key, default: []].append(
          Occurrence(field: node, parent: type, isConditional: isConditional)
        )
      } else if let (condition, inner) = client.fragment(node, on: type), covers(condition, objects: objects) {
        if isInlined(node, isConditional: isConditional) {
          collect(inner, on: condition, for: objects, isConditional: isConditional, into: &collected)
        } else {
          let name = document.name(node)
          if !collected.fragments.contains(name) { collected.fragments.append(name) }
        }
      }
    }
  }

  private mutating func finished(_ collected: Collected, for objects: [TypeID], isOpen: Bool) -> Selection {
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
        document.firstChild(of: occurrence.field, .selectionSet).map { set in
          // The object can then come of other selections alone, without what this one selects.
          let others = occurrence.isConditional ? merges.others(with: occurrence.field, in: objects) : []
          return SelectionSet(node: set, isConditional: !others.isEmpty, others: others)
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
      isOpen: isOpen,
      fields: fields,
      fragments: collected.fragments,
      cases: []
    )
  }
}
