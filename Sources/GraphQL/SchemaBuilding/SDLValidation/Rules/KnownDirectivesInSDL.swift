/// A directive applied to a definition is defined, and its definition allows the location (specification, section
/// 3.13).
enum KnownDirectivesInSDL {
  static func check(_ validation: inout SDLValidation) {
    for use in validation.directiveUses {
      let name = validation.document.name(use.node)
      guard let definition = validation.directives[name] else {
        validation.report(at: validation.start(of: use.node), message: "Unknown directive \"@\(name)\".")
        continue
      }
      let locations = definition.document.children(of: definition.node, .directiveLocation)
      guard !locations.contains(where: { definition.document.name($0) == use.location.rawValue }) else { continue }
      validation.report(
        at: validation.start(of: use.node),
        message: "Directive \"@\(name)\" may not be used on \(use.location.rawValue)."
      )
    }
  }
}
