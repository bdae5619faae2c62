/// Every argument with a non-null type and without a default value is provided (specification, section 5.4.3).
enum ProvidedRequiredArguments {
  static func check(
    _ node: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    field: Int,
    in validation: inout Validation
  ) {
    for input in validation.index.fields[field].arguments
    where validation.index.inputs[input].isRequired && !isProvided(input, from: first, to: end, in: &validation) {
      report(node, input: input, "Field \"\(validation.index.fieldDefinitions[field].name)\"", in: &validation)
    }
  }

  static func check(
    _ node: NodeIndex,
    from first: NodeIndex,
    to end: NodeIndex,
    directive: Int,
    in validation: inout Validation
  ) {
    for input in validation.index.directives[directive].arguments
    where validation.index.inputs[input].isRequired && !isProvided(input, from: first, to: end, in: &validation) {
      report(node, input: input, "Directive \"@\(validation.schema.directives[directive].name)\"", in: &validation)
    }
  }

  private static func isProvided(
    _ input: Int,
    from first: NodeIndex,
    to end: NodeIndex,
    in validation: inout Validation
  ) -> Bool {
    let hash = validation.index.inputs[input].nameHash
    var at = first
    while at < end, validation.nodes[at].kind == .argument {
      // Only names with equal hashes are compared, and these are nearly always equal.
      if validation.nodes[at].nameHash == hash, validation.isNamed(at, asInput: input) { return true }
      at = Int(validation.nodes[at].subtreeEnd)
    }
    return false
  }

  @inline(never)
  private static func report(_ node: NodeIndex, input: Int, _ owner: String, in validation: inout Validation) {
    let argument = validation.index.inputDefinitions[input]
    let type = validation.schema.name(of: argument.type)
    validation.violations.append(
      .providedRequiredArguments,
      order: .leaving(node, nodes: validation.nodes),
      at: [validation.nodes[node].start]
    ) { "\(owner) argument \"\(argument.name)\" of type \"\(type)\" is required, but it was not provided." }
  }
}

extension Validation {
  /// Whether a node has the name of an input value definition.
  func isNamed(_ node: NodeIndex, asInput input: Int) -> Bool {
    let start = Int(nodes[node].nameStart)
    return index.inputDefinitions[input].name.utf8.elementsEqual(
      bytes[start..<(start + Int(nodes[node].nameLength))]
    )
  }
}
