/// A directive is defined, and used at an allowed location (specification, sections 5.7.1 and 5.7.2).
enum KnownDirectives {
  @inline(never)
  static func report(unknown directive: NodeIndex, in validation: inout Validation) {
    let name = validation.name(directive)
    validation.report(.knownDirectives, at: directive) { "Unknown directive \"@\(name)\"." }
  }

  @inline(never)
  static func report(misplaced directive: NodeIndex, _ location: DirectiveLocation, in validation: inout Validation) {
    let name = validation.name(directive)
    validation.report(.knownDirectives, at: directive) {
      "Directive \"@\(name)\" may not be used on \(location.rawValue)."
    }
  }
}
