/// Every variable that an operation defines is used in the operation or in a reachable fragment (specification, section
/// 5.8.4).
enum NoUnusedVariables {
  static func report(_ operation: NodeIndex, declared: [DeclaredVariable], in validation: inout Validation) {
    let isNamed = validation.nodes[operation].nameLength > 0
    let inOperation = isNamed ? " in operation \"\(validation.name(operation))\"" : ""
    for variable in declared where !variable.isUsed {
      // If two variables have the same name and the name is used, both count as used.
      if let declaration = validation.declarationIndex(of: variable.node, among: declared),
        declared[declaration].isUsed
      {
        continue
      }
      let name = validation.name(variable.node)
      validation.violations.append(
        .noUnusedVariables,
        order: .leaving(operation, nodes: validation.nodes),
        at: [validation.nodes[variable.node].start]
      ) { "Variable \"$\(name)\" is never used\(inOperation)." }
    }
  }
}
