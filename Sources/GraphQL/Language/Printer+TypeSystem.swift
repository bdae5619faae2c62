/// Type system definitions and extensions.
extension Printer {
  func typeSystemNode(_ index: NodeIndex) -> String {
    let kind = document[index].kind
    switch kind {
    case .rootOperationTypeDefinition: return rootOperationTypeDefinition(index)
    case .fieldDefinition: return fieldDefinition(index)
    case .inputValueDefinition: return inputValueDefinition(index)
    case .enumValueDefinition:
      return description(index) + joinWords(document.name(index), directives(index))
    case .directiveDefinition: return directiveDefinition(index)
    default:
      return description(index)
        + joinWords(
          keyword(kind),
          document.name(index),
          wrap("implements ", text: interfaces(index)),
          directives(index),
          wrap("= ", text: members(index)),
          block(parts(index))
        )
    }
  }

  private func keyword(_ kind: NodeKind) -> String {
    switch kind {
    case .schemaDefinition: "schema"
    case .schemaExtension: "extend schema"
    case .scalarTypeDefinition: "scalar"
    case .scalarTypeExtension: "extend scalar"
    case .objectTypeDefinition: "type"
    case .objectTypeExtension: "extend type"
    case .interfaceTypeDefinition: "interface"
    case .interfaceTypeExtension: "extend interface"
    case .unionTypeDefinition: "union"
    case .unionTypeExtension: "extend union"
    case .enumTypeDefinition: "enum"
    case .enumTypeExtension: "extend enum"
    case .inputObjectTypeDefinition: "input"
    case .inputObjectTypeExtension: "extend input"
    default: ""
    }
  }

  private func interfaces(_ index: NodeIndex) -> String {
    document[index].kind.isUnion ? "" : all(.namedType, of: index, " & ")
  }

  private func members(_ index: NodeIndex) -> String {
    document[index].kind.isUnion ? all(.namedType, of: index, " | ") : ""
  }

  /// The members in braces.
  private func parts(_ index: NodeIndex) -> [String] {
    document.children(of: index)
      .filter {
        switch document[$0].kind {
        case .rootOperationTypeDefinition, .fieldDefinition, .enumValueDefinition, .inputValueDefinition: true
        default: false
        }
      }
      .map(print)
  }

  private func rootOperationTypeDefinition(_ index: NodeIndex) -> String {
    let flags = document[index].flags
    let operation = flags.contains(.mutation) ? "mutation" : flags.contains(.subscription) ? "subscription" : "query"
    return "\(operation): \(type(index))"
  }

  private func fieldDefinition(_ index: NodeIndex) -> String {
    let arguments = argumentsDefinition(document.children(of: index, .inputValueDefinition).map(print))
    return description(index)
      + joinWords("\(document.name(index))\(arguments): \(type(index))", directives(index))
  }

  private func inputValueDefinition(_ index: NodeIndex) -> String {
    let defaultValue = wrap("= ", text: document.value(of: index).map(print) ?? "")
    return description(index)
      + joinWords("\(document.name(index)): \(type(index))", defaultValue, directives(index))
  }

  private func directiveDefinition(_ index: NodeIndex) -> String {
    let arguments = argumentsDefinition(document.children(of: index, .inputValueDefinition).map(print))
    let repeatable = document[index].flags.contains(.repeatable) ? "repeatable" : ""
    return description(index)
      + joinWords(
        "directive @\(document.name(index))\(arguments)",
        repeatable,
        "on \(all(.directiveLocation, of: index, " | "))"
      )
  }
}

extension NodeKind {
  fileprivate var isUnion: Bool { self == .unionTypeDefinition || self == .unionTypeExtension }
}
