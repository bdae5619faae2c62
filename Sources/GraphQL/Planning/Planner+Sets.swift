// Plans selection sets.
extension Planner {
  /// What makes selection sets equal.
  struct SetIdentity: Hashable {
    let fields: NodeList
    let type: TypeID
    let depth: Int
    let deferral: SetDeferral

    /// Combines what distinguishes most sets in one word, because hashing takes about as long for each word.
    func hash(into hasher: inout Hasher) {
      hasher.combine(fields[0] << 24 ^ type.index << 8 ^ depth)
      for field in fields.dropFirst() { hasher.combine(field) }
      for usage in deferral.usages { hasher.combine(usage) }
    }
  }

  /// The uses of `@defer` around a selection set. Empty unless fragments are deferred.
  struct SetDeferral: Hashable {
    /// The use that contains each field whose set it is.
    var usages: [Int] = []
    /// The uses with which the object is delivered.
    var parents: [Int] = []
  }

  /// The set of the merged selection sets of some fields, or of an operation.
  mutating func set(
    of fields: NodeList,
    _ deferral: SetDeferral,
    on type: TypeID,
    depth: Int
  ) throws(GraphQLError) -> Int {
    let identity = SetIdentity(fields: fields, type: type, depth: depth, deferral: deferral)
    let index = known.value(of: identity, orInsert: sets.count)
    guard index == sets.count else { return index }
    guard depth <= limits.depth else { throw .operationTooDeep(limits, at: location(ofSet: fields)) }
    _ = addSet(on: type)

    let declared = collection.usages?.count ?? 0
    let groups = try collect(fields, usages: deferral.usages, for: type)
    if depth == 1 { try requireAffordable(groups, on: type) }
    if incremental != nil {
      try planDeferred(
        groups,
        declared: declared..<(collection.usages?.count ?? 0),
        as: index,
        parents: deferral.parents,
        on: type,
        depth: depth
      )
    } else {
      try plan(groups, as: index, parents: [], on: type, depth: depth)
    }
    collection.removeGroups(from: groups.lowerBound)
    return index
  }

  /// The start in `setsByType` of the sets of fields that return an abstract type. They are memoized together.
  mutating func setsByType(
    of fields: NodeList,
    _ deferral: SetDeferral,
    on field: BoundField,
    depth: Int
  ) throws(GraphQLError) -> Int {
    let identity = SetIdentity(fields: fields, type: field.type.type, depth: depth, deferral: deferral)
    let start = known.value(of: identity, orInsert: setsByType.count)
    guard start == setsByType.count else { return start }
    setsByType.append(contentsOf: repeatElement(-1, count: schema.types.count))
    let conditions = collection.typeConditions(of: fields)
    // Most of the types that a field such as `Query.node` can return have no fields in a document.
    for possible in field.possibleTypes {
      let set: Int
      if let conditions, !conditions.contains(where: { schema.isPossible(possible, for: $0) }) {
        collection.countVisits(conditions.count)
        set = emptySet(on: possible)
      } else {
        set = try self.set(of: fields, deferral, on: possible, depth: depth)
      }
      setsByType[start + possible.index] = Int32(set)
    }
    try requireFewVisits(of: fields)
    return start
  }

  /// The groups of fields of a selection set.
  ///
  /// This is not a part of `set(of:_:on:depth:)` because that function recurses, and needs a small stack frame.
  private mutating func collect(
    _ fields: NodeList,
    usages: [Int],
    for type: TypeID
  ) throws(GraphQLError) -> Range<Int> {
    let groups = try collection.collect(fields, in: usages, for: type, limit: limits.visits)
    try requireFewVisits(of: fields)
    guard collection.usages?.count ?? 0 <= limits.deferredFragments else { throw .tooManyDeferredFragments(limits) }
    return groups
  }

  func requireFewVisits(of fields: NodeList) throws(GraphQLError) {
    guard collection.visits <= limits.visits else { throw .tooManyFields(limits, at: location(ofSet: fields)) }
  }

  private func location(ofSet fields: NodeList) -> SourceLocation {
    document.location(document.firstChild(of: fields[0], .selectionSet) ?? fields[0])
  }

  /// Plans the fields of a selection set.
  /// - Parameter deferral: The instruction for what the set defers, which comes first.
  mutating func plan(
    _ groups: Range<Int>,
    as index: Int,
    parents: [Int],
    on type: TypeID,
    depth: Int,
    deferral: WriteOperation? = nil
  ) throws(GraphQLError) {
    let first = pending.count
    for group in groups {
      let operation = try field(
        collection.groups[group],
        parents: parents,
        of: type,
        isFirst: group == groups.lowerBound,
        depth: depth
      )
      pending.append(operation)
    }
    finish(pending[first...], as: index, on: type, deferral)
    pending.removeSubrange(first...)
  }

  private mutating func finish(
    _ own: ArraySlice<WriteOperation>,
    as index: Int,
    on type: TypeID,
    _ deferral: WriteOperation?
  ) {
    let start = (operation: operations.count, composite: compositeFields.count, leaf: leafSlots.count)
    if let deferral { operations.append(deferral) }
    operations += own
    for operation in own {
      if operation.givesObjects {
        compositeFields.append(
          CompositeField(field: Int(operation.field), load: Int(operation.source), sets: choice(of: operation))
        )
      } else if operation.isComputed {
        leafSlots.append(Int(operation.source))
      }
    }
    sets[index] = SelectionSetPlan(
      type: type,
      operations: start.operation..<operations.count,
      composite: start.composite..<compositeFields.count,
      leaves: start.leaf..<leafSlots.count
    )
  }

  /// Adds a selection set without fields, which `plan(_:as:parents:on:depth:deferral:)` may replace.
  mutating func addSet(on type: TypeID) -> Int {
    sets.append(SelectionSetPlan(type: type, operations: 0..<0, composite: 0..<0, leaves: 0..<0))
    return sets.count - 1
  }

  /// The set of objects of which nothing is selected. It is shared, since nothing is read of their rows.
  private mutating func emptySet(on type: TypeID) -> Int {
    if let known = emptySet { return known }
    let set = addSet(on: type)
    emptySet = set
    return set
  }

  /// Fails before planning the root fields if they alone, without their arguments and selections, exceed the cost
  /// limit. Planning a hundred sign-in fields takes a millisecond.
  ///
  /// This is not a part of `set(of:_:on:depth:)` because that function recurses, and needs a small stack frame.
  private func requireAffordable(_ groups: Range<Int>, on type: TypeID) throws(GraphQLError) {
    guard !executable.weights.hasNegativeWeights else { return }
    var cost = OperationCost(fields: 0, objects: 0)
    for group in groups {
      cost.fields += boundField(collection.groups[group].nodes[0], on: type)?.weights.field ?? 0
    }
    if let error = cost.error(ifOver: limits.cost, isLowerBound: true) { throw error }
  }

  func choice(of operation: WriteOperation) -> SetChoice {
    if operation.kind == .streamedObjects { return .streamed(operation.stream) }
    if operation.kind == .abstractObjects { return .byType(start: operation.setsByTypeStart) }
    return .one(type: fields[Int(operation.field)].type.type.index, set: operation.set)
  }
}
