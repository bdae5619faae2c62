/// Reports more directives than `ValidationLimits.directives`.
enum DirectiveLimit {
  /// - Parameter directive: The first directive beyond the limit.
  @inline(never)
  static func report(_ directive: NodeIndex, in validation: inout Validation) {
    let limit = validation.options.limits.directives
    validation.violations.append(
      .limits,
      order: .entering(directive),
      at: [validation.nodes[directive].start],
      code: .tooManyDirectives
    ) { "More than \(limit) directives at one location." }
  }
}
