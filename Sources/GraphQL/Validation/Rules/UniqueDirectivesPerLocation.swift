/// A directive that is not repeatable is used at most once at a location (specification, section 5.7.3).
enum UniqueDirectivesPerLocation {
  @inline(never)
  static func check(_ node: NodeIndex, from first: NodeIndex, to end: NodeIndex, in validation: inout Validation) {
    for (first, repeated) in validation.repeatedNames(.directive, from: first, to: end) {
      let directive = validation.index.directive(validation.nodes[repeated], bytes: validation.bytes)
      guard directive >= 0, !validation.index.directives[directive].isRepeatable else { continue }
      let name = validation.name(repeated)
      validation.violations.append(
        .uniqueDirectivesPerLocation,
        order: .entering(node),
        at: [validation.nodes[first].start, validation.nodes[repeated].start]
      ) { "The directive \"@\(name)\" can only be used once at this location." }
    }
  }
}
