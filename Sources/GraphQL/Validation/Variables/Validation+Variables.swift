/// The variables of operations and their uses, in them and in the fragments that they get to.
extension Validation {
  /// Up to this many variables are searched one by one.
  private static let fewVariables = 8

  /// Runs the rules about variables for each operation. A first look only decides whether anything is amiss.
  mutating func checkVariables() {
    var declared: [DeclaredVariable] = []
    // The operation that came upon a fragment last, by fragment.
    var visitor = Array(repeating: -1, count: fragments.count)
    var pending: [Int] = []
    for operation in definitions.indices where definitions[operation].isOperation {
      declare(definitions[operation].node, &declared)
      var isFaulty = false
      pending.append(operation)
      while let definition = pending.popLast() {
        let (usages, spread) = (definitions[definition].variables, definitions[definition].spreads)
        for usage in usages where !use(variables[usage], &declared) { isFaulty = true }
        for spread in spread {
          let fragment = spreads[spread].fragment
          guard fragment >= 0, visitor[fragment] != operation else { continue }
          visitor[fragment] = operation
          pending.append(fragments[fragment].definition)
        }
        guard spend(usages.count + spread.count) else { return }
      }
      if isFaulty { explain(operation, declared) }
      if declared.contains(where: { !$0.isUsed }) {
        NoUnusedVariables.report(definitions[operation].node, declared, in: &self)
      }
    }
  }

  private mutating func declare(_ operation: NodeIndex, _ declared: inout [DeclaredVariable]) {
    declared.removeAll(keepingCapacity: true)
    var child = operation + 1
    let end = Int(nodes[operation].subtreeEnd)
    // A description may come first.
    if child < end, nodes[child].kind == .stringValue { child += 1 }
    while child < end, nodes[child].kind == .variableDefinition {
      declared.append(declaredVariable(child))
      child = Int(nodes[child].subtreeEnd)
    }
    guard declared.count > Self.fewVariables else { return }
    names.begin(declared.count)
    for variable in declared { withNames { $0.replace(variable.node, in: $1) } }
  }

  /// The variable of the name that a node bears. Of two of one name the last counts.
  func declarationIndex(of node: NodeIndex, among declared: [DeclaredVariable]) -> Int? {
    guard declared.count > Self.fewVariables else {
      return declared.lastIndex { isSameName($0.node, node) }
    }
    guard let found = names.find(node, in: self) else { return nil }
    // They are declared in the order of their nodes.
    var (low, high) = (0, declared.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if declared[middle].node < found { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func declaredVariable(_ node: NodeIndex) -> DeclaredVariable {
    var type = node + 1
    if nodes[type].kind == .stringValue { type += 1 }
    let value = Int(nodes[type].subtreeEnd)
    let hasValue = value < Int(nodes[node].subtreeEnd) && nodes[value].kind.isValue
    return DeclaredVariable(
      node: node,
      type: index.reference(type, nodes, bytes),
      hasNonNullDefault: hasValue && nodes[value].kind != .nullValue
    )
  }

  /// Marks the variable as used. False where the use is wrong.
  private mutating func use(_ usage: VariableUsage, _ declared: inout [DeclaredVariable]) -> Bool {
    guard let declaration = declarationIndex(of: usage.node, among: declared) else { return false }
    declared[declaration].isUsed = true
    return VariablesInAllowedPosition.isAllowed(usage, declared[declaration])
  }

  private mutating func explain(_ operation: Int, _ declared: [DeclaredVariable]) {
    let node = definitions[operation].node
    let reached = fragmentsInVisitingOrder(of: node).map { fragments[$0].definition }
    for definition in [operation] + reached {
      for usage in definitions[definition].variables {
        if let declaration = declarationIndex(of: variables[usage].node, among: declared) {
          VariablesInAllowedPosition.check(variables[usage], declared[declaration], operation: node, in: &self)
        } else {
          NoUndefinedVariables.report(variables[usage].node, operation: node, in: &self)
        }
      }
    }
  }
}
