/// The type of a variable is an input type (specification, section 5.8.2).
enum VariablesAreInputTypes {
  @inline(never)
  static func report(_ definition: NodeIndex, type: NodeIndex, in validation: inout Validation) {
    let (name, written) = (validation.name(definition), Printer.print(type, of: validation.document))
    validation.violations.append(
      .variablesAreInputTypes,
      order: .entering(definition),
      at: [validation.nodes[type].start]
    ) { "Variable \"$\(name)\" cannot be non-input type \"\(written)\"." }
  }
}
