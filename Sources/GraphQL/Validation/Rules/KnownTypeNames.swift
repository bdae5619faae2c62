/// The types that a document references are defined (specification, section 5.5.1.2).
enum KnownTypeNames {
  @inline(never)
  static func report(_ namedType: NodeIndex, in validation: inout Validation) {
    let (name, schema) = (validation.name(namedType), validation.schema)
    let suggestion = validation.violations.isFull ? "" : validation.didYouMean(name, among: schema.types.map(\.name))
    validation.report(.knownTypeNames, at: namedType) { "Unknown type \"\(name)\".\(suggestion)" }
  }

  /// Checks the named type within a type reference.
  static func check(namedIn type: NodeIndex, in validation: inout Validation) {
    var at = type
    while validation.nodes[at].kind != .namedType { at += 1 }
    if validation.index.type(validation.nodes[at], bytes: validation.bytes) < 0 { report(at, in: &validation) }
  }
}
