/// The variables of operations and their usages, in the operations and in the fragments reachable from them.
extension Validation {
  /// The maximum number of variables for which a linear search is used.
  private static let fewVariables = 8

  /// Runs the rules about variables for each operation. A fast first pass only decides whether there is an error.
  mutating func checkVariables() {
    var declared: [DeclaredVariable] = []
    // The last operation that visited a fragment, indexed by fragment.
    var visitor = Array(repeating: -1, count: fragments.count)
    var pending: [Int] = []
    for operation in definitions.indices where definitions[operation].isOperation {
      declare(definitions[operation].node, declared: &declared)
      var isFaulty = false
      pending.append(operation)
      while let definition = pending.popLast() {
        let (usages, spread) = (definitions[definition].variables, definitions[definition].spreads)
        for usage in usages where !use(variables[usage], declared: &declared) { isFaulty = true }
        for spread in spread {
          let fragment = spreads[spread].fragment
          guard fragment >= 0, visitor[fragment] != operation else { continue }
          visitor[fragment] = operation
          pending.append(fragments[fragment].definition)
        }
        guard spend(usages.count + spread.count) else { return }
      }
      if isFaulty { explain(operation, declared: declared) }
      if declared.contains(where: { !$0.isUsed }) {
        NoUnusedVariables.report(definitions[operation].node, declared: declared, in: &self)
      }
    }
  }

  private mutating func declare(_ operation: NodeIndex, declared: inout [DeclaredVariable]) {
    declared.removeAll(keepingCapacity: true)
    var child = operation + 1
    let end = Int(nodes[operation].subtreeEnd)
    // A description may precede the variables.
    if child < end, nodes[child].kind == .stringValue { child += 1 }
    while child < end, nodes[child].kind == .variableDefinition {
      declared.append(declaredVariable(child))
      child = Int(nodes[child].subtreeEnd)
    }
    guard declared.count > Self.fewVariables else { return }
    names.begin(declared.count)
    for variable in declared { withNames { $0.replace(variable.node, in: $1) } }
  }

  /// The index of the variable with the name of a node. If two variables have the same name, the last one counts.
  func declarationIndex(of node: NodeIndex, among declared: [DeclaredVariable]) -> Int? {
    guard declared.count > Self.fewVariables else {
      return declared.lastIndex { document.isSameName($0.node, node) }
    }
    guard let found = names.find(node, in: self) else { return nil }
    // Variables are in the order of their nodes, so a binary search is possible.
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
      type: index.reference(type, nodes: nodes, bytes: bytes),
      hasNonNullDefault: hasValue && nodes[value].kind != .nullValue
    )
  }

  /// Marks a variable as used. Returns false if the usage is invalid.
  private mutating func use(_ usage: VariableUsage, declared: inout [DeclaredVariable]) -> Bool {
    guard let declaration = declarationIndex(of: usage.node, among: declared) else { return false }
    declared[declaration].isUsed = true
    return VariablesInAllowedPosition.isAllowed(usage, variable: declared[declaration])
  }

  private mutating func explain(_ operation: Int, declared: [DeclaredVariable]) {
    let node = definitions[operation].node
    let reached = fragmentsInVisitingOrder(of: node).map { fragments[$0].definition }
    for definition in [operation] + reached {
      for usage in definitions[definition].variables {
        if let declaration = declarationIndex(of: variables[usage].node, among: declared) {
          VariablesInAllowedPosition.check(
            variables[usage],
            variable: declared[declaration],
            operation: node,
            in: &self
          )
        } else {
          NoUndefinedVariables.report(variables[usage].node, operation: node, in: &self)
        }
      }
    }
  }
}
