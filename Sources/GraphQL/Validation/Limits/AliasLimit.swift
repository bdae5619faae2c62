/// `ValidationLimits.aliases`: what can be asked a thousand times under a thousand names is a way to try a thousand
/// passwords in one request.
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
        .entering(index),
        at: [node.start],
        code: .tooManyAliases
      ) { "The document has more than \(limit) aliases." }
    }
  }
}
