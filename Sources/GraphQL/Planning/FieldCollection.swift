/// Field collection: collects the fields of selection sets for an object type (specification, section 6.3.2,
/// `CollectFields`).
struct FieldCollection {
  let schema: Schema
  let document: Document
  let fragments: Fragments
  /// The values of the Boolean variables in `@skip` and `@include`, by name, without those that are null.
  let conditions: [String: Bool]
  /// Whether arguments of `@defer` are checked, also if fragments are not deferred.
  private let checksDeferral: Bool

  /// Fields with the same response key.
  struct Group {
    /// The node that names the response key: the alias of the first field, or the field itself.
    let key: NodeIndex
    var nodes: NodeList
    /// The use of `@defer` that contains each node. Empty unless fragments are deferred.
    var usages: [Int] = []
  }

  /// The uses of `@defer` found so far. Nil if fragments are not deferred.
  var usages: [DeferUsage]?
  /// For the arguments of `@defer`.
  private let variables: VariableValues

  /// The groups of all sets that have been collected and not removed, those of each set in the order in which their
  /// response keys first occur. One array, so that collecting a set within another one allocates nothing.
  private(set) var groups: [Group] = []
  /// The number of selections visited, fragments included. Those with long names count more than once.
  private(set) var visits = 0
  /// A selection counts once more for each so many bytes of its names, which are copied or compared in every set: a
  /// response key of 250 KB in 3,330 sets took 1.7 GB.
  private static let bytesPerVisit = 16
  /// The first group of the set that is being collected.
  private var start = 0
  /// The groups of the set by the hash of their response key, if there are more than `fewGroups`.
  private var positions: [UInt32: Int] = [:]
  /// So many groups are found faster by a search.
  private static let fewGroups = 16
  private var visited: Set<Visit> = []
  /// Chains of fragments can be as long as the document, so the path is kept here instead of on the call stack.
  private var path: [Siblings] = []

  /// A fragment that is spread, and the use of `@defer` that contains the spread.
  private struct Visit: Hashable {
    let fragment: NodeIndex
    let usage: Int
  }

  /// The selections that follow in a selection set, and the use of `@defer` that contains them.
  private struct Siblings {
    var next: NodeIndex
    let end: NodeIndex
    let usage: Int
  }

  init(
    schema: Schema,
    document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    usages: [DeferUsage]? = nil,
    checksDeferral: Bool = false,
    variables: VariableValues = .none
  ) {
    self.schema = schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
    self.usages = usages
    self.checksDeferral = checksDeferral
    self.variables = variables
    groups.reserveCapacity(Self.fewGroups)
    path.reserveCapacity(Self.fewGroups / 4)
  }

  /// Collects the merged selection set of some nodes, and appends its groups. Stops when `visits` exceeds `limit`.
  /// - Parameters:
  ///   - parents: Fields, or an operation.
  ///   - usages: The use of `@defer` that contains each of them; empty if none is contained in one.
  mutating func collect(
    _ parents: NodeList,
    in usages: [Int] = [],
    for object: TypeID,
    limit: Int
  ) throws(GraphQLError) -> Range<Int> {
    start = groups.count
    if !positions.isEmpty { positions.removeAll(keepingCapacity: true) }
    if !visited.isEmpty { visited.removeAll(keepingCapacity: true) }
    path.removeAll(keepingCapacity: true)
    for (index, parent) in parents.enumerated() {
      guard let set = document.firstChild(of: parent, .selectionSet) else { continue }
      enter(set, usage: usages.isEmpty ? DeferUsage.none : usages[index])
      while let last = path.indices.last {
        let selection = path[last].next
        guard selection < path[last].end else {
          path.removeLast()
          continue
        }
        path[last].next = Int(document.nodes[selection].subtreeEnd)
        visits += 1
        if visits > limit { return start..<groups.count }
        var usage = path[last].usage
        guard try isIncluded(selection), let inner = try visit(selection, usage: &usage, for: object) else {
          continue
        }
        enter(inner, usage: usage)
      }
    }
    return start..<groups.count
  }

  /// The type conditions of the fragments in the merged selection set of some fields. Nil if a field is selected there,
  /// or by a fragment without a condition, and so for every type.
  ///
  /// For a type to which none of them applies, the set selects nothing.
  mutating func typeConditions(of parents: NodeList) -> [TypeID]? {
    var conditions: [TypeID] = []
    for parent in parents {
      guard let set = document.firstChild(of: parent, .selectionSet) else { continue }
      var selection = set + 1
      let end = Int(document.nodes[set].subtreeEnd)
      while selection < end {
        if document.nodes[selection].kind == .field { return nil }
        if document.nodes[selection].kind == .fragmentSpread { countName(Int(document.nodes[selection].nameLength)) }
        if let fragment = fragment(of: selection) {
          guard let condition = condition(of: fragment) else { return nil }
          if condition != SchemaIndex.none { conditions.append(TypeID(condition)) }
        }
        selection = Int(document.nodes[selection].subtreeEnd)
      }
    }
    return conditions
  }

  /// Counts selections that are visited without being collected.
  mutating func countVisits(_ count: Int) { visits += count }

  /// The inline fragment or fragment definition of a selection that is not a field.
  private func fragment(of selection: NodeIndex) -> NodeIndex? {
    document.nodes[selection].kind == .inlineFragment
      ? selection : fragments.definition(spreadBy: selection, in: document)
  }

  private mutating func enter(_ set: NodeIndex, usage: Int) {
    path.append(Siblings(next: set + 1, end: Int(document.nodes[set].subtreeEnd), usage: usage))
  }

  /// Removes the groups from `end` on.
  mutating func removeGroups(from end: Int) { groups.removeSubrange(end...) }

  /// Replaces the groups of a set.
  mutating func replaceGroups(_ range: Range<Int>, with groups: [Group]) {
    self.groups.replaceSubrange(range, with: groups)
  }

  /// Collects a field, or returns the selection set of a fragment that applies.
  /// - Parameter usage: The use of `@defer` that contains the selection; on return, the one that contains the set.
  private mutating func visit(
    _ selection: NodeIndex,
    usage: inout Int,
    for object: TypeID
  ) throws(GraphQLError) -> NodeIndex? {
    switch document.nodes[selection].kind {
    case .field:
      append(selection, usage: usage)
      return nil
    case .fragmentSpread:
      countName(Int(document.nodes[selection].nameLength))
      guard let fragment = fragments.definition(spreadBy: selection, in: document), applies(fragment, to: object) else {
        return nil
      }
      let isDeferred = try declareUsage(of: selection, &usage)
      // Each fragment is collected once per selection set, which also keeps this loop linear.
      guard isDeferred || visited.insert(Visit(fragment: fragment, usage: usage)).inserted else { return nil }
      return document.firstChild(of: fragment, .selectionSet)
    case .inlineFragment:
      guard applies(selection, to: object) else { return nil }
      _ = try declareUsage(of: selection, &usage)
      return document.firstChild(of: selection, .selectionSet)
    default: return nil
    }
  }

  private mutating func append(_ field: NodeIndex, usage: Int) {
    let key = document.responseKeyNode(of: field)
    countName(Int(document.nodes[key].nameLength))
    let index: Int
    if let known = group(named: key) {
      groups[known].nodes.append(field)
      index = known
    } else {
      index = groups.count
      groups.append(Group(key: key, nodes: NodeList(field)))
      if index - start >= Self.fewGroups { remember(from: positions.isEmpty ? start : index) }
    }
    if usages != nil { groups[index].usages.append(usage) }
  }

  private mutating func remember(from first: Int) {
    for index in first..<groups.count { positions[document.nodes[groups[index].key].nameHash] = index }
  }

  /// The group of the set with the name of a node.
  private func group(named key: NodeIndex) -> Int? {
    if !positions.isEmpty {
      guard let position = positions[document.nodes[key].nameHash] else { return nil }
      if document.isSameName(groups[position].key, key) { return position }
      // Another name with this hash. There is hardly ever one.
    }
    return (start..<groups.count).first { document.isSameName(groups[$0].key, key) }
  }

  private mutating func countName(_ bytes: Int) { visits += bytes / Self.bytesPerVisit }

  /// Replaces `usage` if the fragment is deferred. Returns whether it is.
  private mutating func declareUsage(of fragment: NodeIndex, _ usage: inout Int) throws(GraphQLError) -> Bool {
    guard checksDeferral,
      let directive = try IncrementalDirective(
        .defer,
        on: fragment,
        of: document,
        conditions: conditions,
        variables: variables
      )
    else { return false }
    guard usages != nil else { return false }
    countName(directive.label?.utf8.count ?? 0)
    usages?.append(DeferUsage(fragment: fragment, label: directive.label, parent: usage))
    usage = (usages?.count ?? 0) - 1
    return true
  }

  /// Specification, section 6.3.2, `DoesFragmentTypeApply`.
  private func applies(_ fragment: NodeIndex, to object: TypeID) -> Bool {
    guard let condition = condition(of: fragment) else { return true }
    return condition != SchemaIndex.none && schema.isPossible(object, for: TypeID(condition))
  }

  /// The type condition of a fragment: `SchemaIndex.none` if the schema has no such type, nil if there is no condition.
  private func condition(of fragment: NodeIndex) -> Int? {
    document.firstChild(of: fragment, .namedType).map {
      schema.index.type(document.nodes[$0], bytes: document.source.bytes)
    }
  }

  /// Specification, sections 3.13.1 and 3.13.2.
  private mutating func isIncluded(_ selection: NodeIndex) throws(GraphQLError) -> Bool {
    var child = selection + 1
    let end = Int(document.nodes[selection].subtreeEnd)
    while child < end {
      let directive = child
      child = Int(document.nodes[child].subtreeEnd)
      guard document.nodes[directive].kind == .directive else { continue }
      let name = document.name(directive)
      guard name == "skip" || name == "include",
        let argument = document.firstChild(of: directive, .argument), let value = document.value(of: argument)
      else { continue }
      if try isTrue(value) == (name == "skip") { return false }
    }
    return true
  }

  /// The condition is neither true nor false if null is provided for a nullable variable with a default value.
  private mutating func isTrue(_ condition: NodeIndex) throws(GraphQLError) -> Bool {
    guard document[condition].kind == .variable else { return document[condition].flags.contains(.isTrue) }
    countName(Int(document[condition].nameLength))
    guard let truth = conditions[document.name(condition)] else {
      throw .nullArgument("if", type: "Boolean!", at: document.location(condition))
    }
    return truth
  }
}
