/// Checks `ValidationLimits.aliases`. Without this limit, one request could try a thousand passwords by selecting a
/// field a thousand times with different aliases.
enum AliasLimit {
  static func check(in validation: inout Validation) {
    let limit = validation.options.limits.aliases
    guard validation.aliasCount > limit else { return }
    var count = 0
    for (index, node) in validation.nodes.enumerated() where node.kind == .alias {
      count += 1
      guard count > limit else { continue }
      return validation.violations.append(
        .limits,
        order: .entering(index),
        at: [node.start],
        code: .tooManyAliases
      ) { "The document has more than \(limit) aliases." }
    }
  }
}
