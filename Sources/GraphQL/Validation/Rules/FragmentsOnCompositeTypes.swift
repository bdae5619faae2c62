/// The type condition of a fragment is an object, interface or union type (specification, section 5.5.1.3).
enum FragmentsOnCompositeTypes {
  /// - Parameter fragment: An inline fragment or a fragment definition.
  @inline(never)
  static func report(_ fragment: NodeIndex, condition: NodeIndex, in validation: inout Validation) {
    let isNamed = validation.nodes[fragment].nameLength > 0
    let name = isNamed ? " \"\(validation.name(fragment))\"" : ""
    let type = validation.name(condition)
    validation.violations.append(
      .fragmentsOnCompositeTypes,
      order: .entering(fragment),
      at: [validation.nodes[condition].start]
    ) { "Fragment\(name) cannot condition on non composite type \"\(type)\"." }
  }
}
