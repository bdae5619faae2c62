extension Planner {
  /// Plans the fields of a selection set, and those that it defers as sets of their own (specification draft, section
  /// 6.3.3, `BuildExecutionPlan`).
  /// - Parameters:
  ///   - fields: The groups of the set.
  ///   - declared: The uses of `@defer` in the set itself.
  ///   - parents: The uses of `@defer` with which the object is delivered.
  mutating func planDeferred(
    _ fields: Range<Int>,
    declared: Range<Int>,
    as index: Int,
    parents: [Int],
    on type: TypeID,
    depth: Int
  ) throws(GraphQLError) {
    let (own, deferred) = partition(fields, parents: parents)
    guard !declared.isEmpty || !deferred.isEmpty else {
      return try plan(fields, as: index, parents: parents, on: type, depth: depth)
    }
    collection.replaceGroups(fields, with: own + deferred.flatMap(\.fields))
    let ownEnd = fields.lowerBound + own.count
    var start = ownEnd
    var groups: [DeferredGroup] = []
    for (uses, fields) in deferred {
      let set = addSet(on: type)
      try plan(start..<(start + fields.count), as: set, parents: uses, on: type, depth: depth)
      start += fields.count
      groups.append(DeferredGroup(usages: uses, set: set))
    }
    let deferral = incremental?.append(DeferralPlan(declared: declared, groups: groups)) ?? 0
    try plan(
      fields.lowerBound..<ownEnd,
      as: index,
      parents: parents,
      on: type,
      depth: depth,
      deferral: deferralOperation(deferral, on: type)
    )
  }

  private typealias DeferredFields = (usages: [Int], fields: [FieldCollection.Group])

  private func partition(
    _ fields: Range<Int>,
    parents: [Int]
  ) -> (own: [FieldCollection.Group], deferred: [DeferredFields]) {
    let usages = collection.usages ?? []
    var own: [FieldCollection.Group] = []
    var deferred: [DeferredFields] = []
    for group in collection.groups[fields] {
      let uses = outermost(group.usages, in: usages)
      if uses == parents {
        own.append(group)
      } else if let known = deferred.firstIndex(where: { $0.usages == uses }) {
        deferred[known].fields.append(group)
      } else {
        deferred.append((uses, [group]))
      }
    }
    return (own, deferred)
  }

  /// The uses of `@defer` with which a field is delivered: those of its nodes without those that another one contains.
  /// Empty if a node is not deferred.
  private func outermost(_ nodes: [Int], in usages: [DeferUsage]) -> [Int] {
    let uses = Set(nodes)
    if uses.contains(DeferUsage.none) { return [] }
    return uses.filter { use in
      var parent = usages[use].parent
      while parent != DeferUsage.none, !uses.contains(parent) { parent = usages[parent].parent }
      return parent == DeferUsage.none
    }.sorted()
  }

  private mutating func deferralOperation(_ deferral: Int, on type: TypeID) -> WriteOperation {
    fields.append(
      FieldPlan(
        responseKey: ConstantRange(start: 0, length: 0),
        type: TypeReference(type: type),
        nodes: NodeList(0),
        call: nil,
        namePosition: nil
      )
    )
    let nothing = ConstantRange(start: 0, length: 0)
    return operation(.deferral, key: nothing, operand: ConstantRange(start: Int32(deferral), length: 0))
  }

  /// The instruction for a list with `@stream`; `items` if the field has no such directive, or if the response is
  /// complete. A list of which a fragment defers fields is delivered at once: the fragment could be complete before the
  /// list is.
  mutating func streamed(
    _ items: WriteOperation,
    field: FieldCollection.Group,
    type: TypeReference
  ) throws(GraphQLError) -> WriteOperation {
    guard type.isList,
      let directive = try IncrementalDirective(
        .stream,
        on: field.nodes[0],
        of: document,
        conditions: conditions,
        variables: variables
      )
    else { return items }
    guard directive.initialCount >= 0 else {
      throw GraphQLError(
        "The argument \"initialCount\" of \"@stream\" is \(directive.initialCount), but must not be negative.",
        at: [document.location(field.nodes[0])],
        code: .badUserInput
      )
    }
    guard incremental != nil, field.usages.allSatisfy({ $0 == field.usages[0] }) else { return items }
    let stream = StreamPlan(
      items: items,
      sets: choice(of: items),
      initialCount: directive.initialCount,
      label: directive.label
    )
    return WriteOperation(
      kind: .streamedObjects,
      isComputed: false,
      isNullable: items.isNullable,
      isFree: false,
      wrappers: items.wrappers,
      source: items.source,
      key: items.key,
      field: items.field,
      operand: ConstantRange(start: Int32(incremental?.append(stream) ?? 0), length: 0)
    )
  }
}

extension GraphQLError {
  static func tooManyDeferredFragments(_ limits: PlanLimits) -> GraphQLError {
    GraphQLError(
      "The operation has more than \(limits.deferredFragments) fragments with @defer.",
      code: .tooManyDeferredParts
    )
  }
}

extension ErrorCode {
  /// More fragments and lists are delivered later than the limit allows.
  package static let tooManyDeferredParts = ErrorCode(rawValue: "TOO_MANY_DEFERRED_PARTS")
}
