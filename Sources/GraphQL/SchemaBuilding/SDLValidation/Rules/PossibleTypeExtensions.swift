/// An extended type is defined, and its kind matches the extension (specification, section 3.4.3).
enum PossibleTypeExtensions {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    let definitions = validation.typeDefinitions
    var defined: [String: NodeIndex] = [:]
    for node in definitions { defined[document.name(node)] = node }
    let existing = validation.existing?.types ?? [:]
    for node in validation.typeExtensions {
      let name = document.name(node)
      let kind = document[node].kind
      let definition = defined[name]
      if let definedKind = definition.map({ document[$0].kind }) ?? existing[name] {
        guard definedKind.extensionKind != kind else { continue }
        validation.report(
          at: [definition, node].compactMap { $0 }.map { validation.start(of: $0) },
          message: "Cannot extend non-\(title(of: kind)) type \"\(name)\"."
        )
      } else {
        let names = Array(Set(definitions.map { document.name($0) }).union(existing.keys))
        let suggestion = validation.didYouMean(name, among: names)
        validation.report(
          at: validation.name(at: node),
          message: "Cannot extend type \"\(name)\" because it is not defined.\(suggestion)"
        )
      }
    }
  }

  private static func title(of kind: NodeKind) -> String {
    switch kind {
    case .scalarTypeExtension: "scalar"
    case .objectTypeExtension: "object"
    case .interfaceTypeExtension: "interface"
    case .unionTypeExtension: "union"
    case .enumTypeExtension: "enum"
    default: "input object"
    }
  }
}
