/// The values of an enum, including its extensions, have unique names (specification, section 3.9).
enum UniqueEnumValueNames {
  static func check(_ validation: inout SDLValidation) {
    validation.checkUniqueMembers(
      "Enum value",
      kinds: .enumValueDefinition,
      of: validation.definitions(.enumTypeDefinition, .enumTypeExtension)
    )
  }
}

extension SDLValidation {
  /// Checks that the members of each type, in its definition and all of its extensions, have unique names.
  mutating func checkUniqueMembers(_ title: String, kinds: NodeKind..., of types: [NodeIndex]) {
    var defined: [SchemaCoordinate: NodeIndex] = [:]
    for type in types {
      for member in document.children(of: type) where kinds.contains(document[member].kind) {
        let coordinate = SchemaCoordinate.member(type: document.name(type), name: document.name(member))
        if existing?.members.contains(coordinate) == true {
          report(
            at: name(at: member),
            message: "\(title) \"\(coordinate)\" already exists in the schema. "
              + "It cannot also be defined in this type extension."
          )
        } else if let first = defined[coordinate] {
          report(
            at: name(at: first),
            name(at: member),
            message: "\(title) \"\(coordinate)\" can only be defined once."
          )
        } else {
          defined[coordinate] = member
        }
      }
    }
  }
}
