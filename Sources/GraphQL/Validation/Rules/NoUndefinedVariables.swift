/// Every variable that an operation uses is defined by the operation (specification, section 5.8.3).
enum NoUndefinedVariables {
  static func report(_ variable: NodeIndex, operation: NodeIndex, in validation: inout Validation) {
    let name = validation.name(variable)
    let by = validation.nodes[operation].nameLength > 0 ? " by operation \"\(validation.name(operation))\"" : ""
    validation.violations.append(
      .noUndefinedVariables,
      order: .leaving(operation, nodes: validation.nodes),
      at: [validation.nodes[variable].start, validation.nodes[operation].start]
    ) { "Variable \"$\(name)\" is not defined\(by)." }
  }
}
