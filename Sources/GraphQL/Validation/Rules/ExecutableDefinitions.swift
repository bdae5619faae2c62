/// An executable document contains only operations and fragments (specification, section 5.1.1).
enum ExecutableDefinitions {
  @inline(never)
  static func report(_ definition: NodeIndex, in validation: inout Validation) {
    let start = validation.nodes[definition].start
    let isNamed = validation.nodes[definition].nameLength > 0
    let name = isNamed ? "\"\(validation.name(definition))\"" : "schema"
    validation.violations.append(.executableDefinitions, order: .documentEntered, at: [start]) {
      "The \(name) definition is not executable."
    }
  }
}
