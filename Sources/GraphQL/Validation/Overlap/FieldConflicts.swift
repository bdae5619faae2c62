/// Explains, pair by pair, why the fields of a document cannot be merged, with the reasons, locations and order of
/// graphql-js. This takes quadratic time in the number of fields. So it is used only for documents that are known to
/// have a conflict, and stops when the budget is spent.
struct FieldConflicts {
  /// The reason why two fields conflict, and the fields involved on both sides.
  struct Conflict {
    let responseKey: String
    let reason: String
    /// The number of pairs of fields that `reason` explains.
    var reasonCount = 1
    var fields: [NodeIndex]
    var otherFields: [NodeIndex]
  }

  /// The maximum depth of nested fields that are compared, which bounds the call stack. It equals the default limit of
  /// the depth of operations. If the conflict is deeper, only the two fields found by `FieldMerging` are reported.
  private static let maximumDepth = 32
  /// The maximum number of nested conflicts in one error, on all levels together.
  private static let maximumReasons = 20
  /// The steps for a pair that is recorded as compared. A chain of fragments beside a conflict had half a million, and
  /// took 35 MiB.
  private static let stepsPerRecord = 4

  private var knownSelections: [NodeIndex: FieldSelections] = [:]
  private var comparedFragments: [FragmentPair: Bool] = [:]
  private var comparedSets: [SetAndFragment: Bool] = [:]
  private var depth = 0

  private struct FragmentPair: Hashable {
    let one: Int
    let other: Int
  }
  private struct SetAndFragment: Hashable {
    let set: ObjectIdentifier
    let fragment: Int
  }

  mutating func explain(in validation: inout Validation) {
    for set in 1..<validation.nodes.count where validation.nodes[set].kind == .selectionSet {
      guard !validation.violations.areTruncated, !validation.isBudgetSpent else { return }
      var conflicts: [Conflict] = []
      findConflicts(within: set, &conflicts, in: &validation)
      for conflict in conflicts { report(conflict, set: set, in: &validation) }
    }
  }

  // MARK: Finding

  private mutating func findConflicts(
    within set: NodeIndex,
    _ conflicts: inout [Conflict],
    in validation: inout Validation
  ) {
    let own = selections(of: set, in: &validation)
    for key in own.keys {
      guard let fields = own.fields[key], fields.count > 1 else { continue }
      for (index, field) in fields.enumerated() {
        for other in fields[(index + 1)...] {
          append(conflict(field, other, areExclusive: false, in: &validation), to: &conflicts)
          if isDone(conflicts, in: validation) { return }
        }
      }
    }
    for (index, fragment) in own.fragments.enumerated() {
      compare(own, withFragment: fragment, areExclusive: false, &conflicts, in: &validation)
      for other in own.fragments[(index + 1)...] {
        compareFragments(fragment, other, areExclusive: false, &conflicts, in: &validation)
      }
    }
  }

  private mutating func compare(
    _ own: FieldSelections,
    withFragment first: Int,
    areExclusive: Bool,
    _ conflicts: inout [Conflict],
    in validation: inout Validation
  ) {
    // An explicit stack, in the order of recursion, because chains of fragments can have any length.
    var pending = [first]
    while let fragment = pending.popLast() {
      guard validation.spend(), !isDone(conflicts, in: validation) else { return }
      let pair = SetAndFragment(set: ObjectIdentifier(own), fragment: fragment)
      if let exclusive = comparedSets[pair], areExclusive || !exclusive { continue }
      guard validation.spend(Self.stepsPerRecord) else { return }
      comparedSets[pair] = areExclusive
      let other = selections(of: validation.fragments[fragment].selectionSet, in: &validation)
      if own === other { continue }
      compare(own, other, areExclusive: areExclusive, &conflicts, in: &validation)
      pending += other.fragments.reversed()
    }
  }

  private mutating func compareFragments(
    _ one: Int,
    _ other: Int,
    areExclusive: Bool,
    _ conflicts: inout [Conflict],
    in validation: inout Validation
  ) {
    var pending = [(one, other)]
    while let (one, other) = pending.popLast() {
      guard validation.spend(), !isDone(conflicts, in: validation) else { return }
      guard one != other else { continue }
      let pair = FragmentPair(one: min(one, other), other: max(one, other))
      if let exclusive = comparedFragments[pair], areExclusive || !exclusive { continue }
      guard validation.spend(Self.stepsPerRecord) else { return }
      comparedFragments[pair] = areExclusive
      let fields = selections(of: validation.fragments[one].selectionSet, in: &validation)
      let otherFields = selections(of: validation.fragments[other].selectionSet, in: &validation)
      compare(fields, otherFields, areExclusive: areExclusive, &conflicts, in: &validation)
      pending += (otherFields.fragments.map { (one, $0) } + fields.fragments.map { ($0, other) }).reversed()
    }
  }

  private mutating func compare(
    _ one: FieldSelections,
    _ other: FieldSelections,
    areExclusive: Bool,
    _ conflicts: inout [Conflict],
    in validation: inout Validation
  ) {
    for key in one.keys {
      guard validation.spend(1 + key.utf8.count / 32) else { return }
      guard let fields = one.fields[key], let otherFields = other.fields[key] else { continue }
      for field in fields {
        for otherField in otherFields {
          append(conflict(field, otherField, areExclusive: areExclusive, in: &validation), to: &conflicts)
          if isDone(conflicts, in: validation) { return }
        }
      }
    }
  }

  /// Whether the budget is spent, or there are more conflicts than can be reported.
  private func isDone(_ conflicts: [Conflict], in validation: borrowing Validation) -> Bool {
    if validation.isBudgetSpent { return true }
    return depth == 0
      ? conflicts.count > validation.options.maximumErrors
      : conflicts.reduce(0) { $0 + $1.reasonCount } > Self.maximumReasons
  }

  private func append(_ conflict: Conflict?, to conflicts: inout [Conflict]) {
    if let conflict { conflicts.append(conflict) }
  }

  /// The response key as shown in messages.
  private func key(of field: NodeIndex, in validation: borrowing Validation) -> String {
    validation.name(validation.document.responseKeyNode(of: field))
  }

  private mutating func conflict(
    _ one: NodeIndex,
    _ other: NodeIndex,
    areExclusive: Bool,
    in validation: inout Validation
  ) -> Conflict? {
    // Counts as two steps: with string keys, a pair takes about 90 ns. Long names are compared, too.
    guard validation.spend(2 + Int(validation.nodes[one].nameLength) / 32) else { return nil }
    let areExclusive = areExclusive || validation.areExclusive(one, other)
    if let reason = validation.conflictReason(one, other, areExclusive: areExclusive) {
      return validation.isBudgetSpent
        ? nil
        : Conflict(
          responseKey: key(of: one, in: validation),
          reason: reason,
          fields: [one],
          otherFields: [other]
        )
    }
    guard let set = validation.document.firstChild(of: one, .selectionSet),
      let otherSet = validation.document.firstChild(of: other, .selectionSet), depth < Self.maximumDepth
    else { return nil }
    depth += 1
    defer { depth -= 1 }
    var inner: [Conflict] = []
    findConflicts(between: set, otherSet, areExclusive: areExclusive, &inner, in: &validation)
    guard !inner.isEmpty else { return nil }
    var reasonCount = 0
    let reported = inner.prefix { conflict in
      reasonCount += conflict.reasonCount
      return reasonCount <= Self.maximumReasons
    }
    return Conflict(
      responseKey: key(of: one, in: validation),
      reason: reported.map { "subfields \"\($0.responseKey)\" conflict because \($0.reason)" }.joined(
        separator: " and "
      ),
      reasonCount: reported.reduce(0) { $0 + $1.reasonCount },
      fields: [one] + reported.flatMap(\.fields),
      otherFields: [other] + reported.flatMap(\.otherFields)
    )
  }

  private mutating func findConflicts(
    between set: NodeIndex,
    _ otherSet: NodeIndex,
    areExclusive: Bool,
    _ conflicts: inout [Conflict],
    in validation: inout Validation
  ) {
    let one = selections(of: set, in: &validation)
    let other = selections(of: otherSet, in: &validation)
    compare(one, other, areExclusive: areExclusive, &conflicts, in: &validation)
    for fragment in other.fragments {
      compare(one, withFragment: fragment, areExclusive: areExclusive, &conflicts, in: &validation)
    }
    for fragment in one.fragments {
      compare(other, withFragment: fragment, areExclusive: areExclusive, &conflicts, in: &validation)
    }
    for fragment in one.fragments {
      for otherFragment in other.fragments {
        compareFragments(fragment, otherFragment, areExclusive: areExclusive, &conflicts, in: &validation)
      }
    }
  }

  private mutating func selections(of set: NodeIndex, in validation: inout Validation) -> FieldSelections {
    if let known = knownSelections[set] { return known }
    let collected = FieldSelections(of: set, in: &validation)
    knownSelections[set] = collected
    return collected
  }

  // MARK: Reporting

  private func report(_ conflict: Conflict, set: NodeIndex, in validation: inout Validation) {
    let offsets = (conflict.fields + conflict.otherFields).map { validation.nodes[$0].start }
    validation.violations.append(.overlappingFieldsCanBeMerged, order: .entering(set), at: offsets) {
      "Fields \"\(conflict.responseKey)\" conflict because \(conflict.reason). Use different aliases on the fields to "
        + "fetch both if this was intentional."
    }
  }

  /// Reports a conflict of two fields without nested conflicts.
  func report(_ pair: FieldPair, in validation: inout Validation) {
    // At least one of the two tests finds a difference.
    let reason =
      validation.conflictReason(pair.one, pair.other, areExclusive: true)
      ?? validation.conflictReason(pair.one, pair.other, areExclusive: false) ?? "they differ"
    report(
      Conflict(
        responseKey: key(of: pair.one, in: validation),
        reason: reason,
        fields: [pair.one],
        otherFields: [pair.other]
      ),
      set: pair.one,
      in: &validation
    )
  }
}

extension Validation {
  /// Whether no object can have both fields.
  fileprivate func areExclusive(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    let (a, b) = (Int(selected[one].parent), Int(selected[other].parent))
    return a != b && a >= 0 && b >= 0 && index.types[a].kind == .object && index.types[b].kind == .object
  }

  /// The reason why two fields conflict, without regard to their selection sets, or nil if they do not.
  fileprivate mutating func conflictReason(_ one: NodeIndex, _ other: NodeIndex, areExclusive: Bool) -> String? {
    if !areExclusive {
      if !document.isSameName(one, other) { return "\"\(name(one))\" and \"\(name(other))\" are different fields" }
      if !isSameArguments(one, other) { return "they have differing arguments" }
      if !isSameStream(one, other) { return "they have differing stream directives" }
    }
    guard let type = self.type(ofField: one), let otherType = self.type(ofField: other), !isSameShape(one, other) else {
      return nil
    }
    return "they return conflicting types \"\(schema.name(of: type))\" and \"\(schema.name(of: otherType))\""
  }
}
