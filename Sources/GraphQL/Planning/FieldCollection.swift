/// Field collection: collects the fields of selection sets for an object type (specification, section 6.3.2,
/// `CollectFields`).
struct FieldCollection {
  let schema: Schema
  let document: Document
  let fragments: Fragments
  /// The values of the Boolean variables in `@skip` and `@include`, by name, without those that are null.
  let conditions: [String: Bool]

  /// Fields with the same response key. `usages` has the use of `@defer` that contains each node, and is empty unless
  /// fragments are deferred.
  typealias Group = (responseKey: String, nodes: [NodeIndex], usages: [Int])

  /// The uses of `@defer` found so far. Nil if fragments are not deferred.
  var usages: [DeferUsage]?
  /// For the arguments of `@defer`.
  private let variables: VariableValues

  /// The fields in the order in which their response keys first occur, each with all of its nodes.
  private(set) var groups: [Group] = []
  /// The number of selections visited, fragments included. Those with long names count more than once.
  private(set) var visits = 0
  /// A selection counts once more for each so many bytes of its names, which are copied or compared in every set: a
  /// response key of 250 KB in 3,330 sets took 1.7 GB.
  private static let bytesPerVisit = 16
  private var groupIndices: [String: Int] = [:]
  private var visited: Set<Visit> = []

  /// A fragment that is spread, and the use of `@defer` that contains the spread.
  private struct Visit: Hashable {
    let fragment: NodeIndex
    let usage: Int
  }

  init(
    schema: Schema,
    document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    usages: [DeferUsage]? = nil,
    variables: VariableValues = .none
  ) {
    self.schema = schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
    self.usages = usages
    self.variables = variables
  }

  /// Stops when `visits` exceeds `limit`.
  /// - Parameter usages: The use of `@defer` that contains each selection set; empty if none is contained in one.
  mutating func collect(
    _ selectionSets: [NodeIndex],
    in usages: [Int] = [],
    for object: TypeID,
    limit: Int
  ) throws(GraphQLError) {
    // Chains of fragments can be as long as the document, so the path is kept here instead of on the call stack.
    var pending: [(selections: ChildSequence, usage: Int)] = []
    for (index, set) in selectionSets.enumerated() {
      pending.append((document.children(of: set), usages.isEmpty ? DeferUsage.none : usages[index]))
      while let index = pending.indices.last {
        guard let selection = pending[index].selections.next() else {
          pending.removeLast()
          continue
        }
        visits += 1
        if visits > limit { return }
        var usage = pending[index].usage
        guard try isIncluded(selection), let inner = visit(selection, usage: &usage, for: object) else { continue }
        pending.append((document.children(of: inner), usage))
      }
    }
  }

  /// Collects a field, or returns the selection set of a fragment that applies.
  /// - Parameter usage: The use of `@defer` that contains the selection; on return, the one that contains the set.
  private mutating func visit(_ selection: NodeIndex, usage: inout Int, for object: TypeID) -> NodeIndex? {
    switch document[selection].kind {
    case .field:
      let key = document.responseKey(of: selection)
      countName(key.utf8.count)
      let index = groupIndices[key] ?? groups.count
      if index == groups.count {
        groupIndices[key] = index
        groups.append((key, [], []))
      }
      groups[index].nodes.append(selection)
      if usages != nil { groups[index].usages.append(usage) }
      return nil
    case .fragmentSpread:
      countName(Int(document[selection].nameLength))
      // Each fragment is collected once per selection set, which also keeps this loop linear.
      guard let fragment = fragments.definition(spreadBy: selection, in: document), applies(fragment, to: object),
        declareUsage(of: selection, &usage) || visited.insert(Visit(fragment: fragment, usage: usage)).inserted
      else { return nil }
      return document.firstChild(of: fragment, .selectionSet)
    case .inlineFragment:
      guard applies(selection, to: object) else { return nil }
      _ = declareUsage(of: selection, &usage)
      return document.firstChild(of: selection, .selectionSet)
    default: return nil
    }
  }

  private mutating func countName(_ bytes: Int) { visits += bytes / Self.bytesPerVisit }

  /// Replaces `usage` if the fragment is deferred. Returns whether it is.
  private mutating func declareUsage(of fragment: NodeIndex, _ usage: inout Int) -> Bool {
    guard usages != nil,
      let directive = IncrementalDirective(
        .defer,
        on: fragment,
        of: document,
        conditions: conditions,
        variables: variables
      )
    else { return false }
    countName(directive.label?.utf8.count ?? 0)
    usages?.append(DeferUsage(fragment: fragment, label: directive.label, parent: usage))
    usage = (usages?.count ?? 0) - 1
    return true
  }

  /// Specification, section 6.3.2, `DoesFragmentTypeApply`.
  private func applies(_ fragment: NodeIndex, to object: TypeID) -> Bool {
    guard let condition = document.firstChild(of: fragment, .namedType) else { return true }
    guard let index = schema.typeNames.index(of: condition, in: document) else { return false }
    return schema.isPossible(object, for: TypeID(index))
  }

  /// Specification, sections 3.13.1 and 3.13.2.
  private mutating func isIncluded(_ selection: NodeIndex) throws(GraphQLError) -> Bool {
    for directive in document.children(of: selection, .directive) {
      let name = document.name(directive)
      guard name == "skip" || name == "include",
        let argument = document.firstChild(of: directive, .argument), let value = document.value(of: argument)
      else { continue }
      if try isTrue(value) == (name == "skip") { return false }
    }
    return true
  }

  /// A nullable variable with a default value is allowed here, and null can still be provided for it (specification,
  /// section 5.8.5). The condition is then neither true nor false.
  private mutating func isTrue(_ condition: NodeIndex) throws(GraphQLError) -> Bool {
    guard document[condition].kind == .variable else { return document[condition].flags.contains(.isTrue) }
    countName(Int(document[condition].nameLength))
    guard let truth = conditions[document.name(condition)] else {
      throw GraphQLError(
        "Argument \"if\" of non-null type \"Boolean!\" must not be null.",
        at: [document.location(condition)],
        code: .badUserInput
      )
    }
    return truth
  }
}
