/// The fields of a type, including its extensions, have unique names (specification, sections 3.6, 3.7 and 3.10).
enum UniqueFieldDefinitionNames {
  static func check(_ validation: inout SDLValidation) {
    validation.checkUniqueMembers(
      "Field",
      kinds: .fieldDefinition,
      .inputValueDefinition,
      of: validation.definitions(
        .objectTypeDefinition,
        .objectTypeExtension,
        .interfaceTypeDefinition,
        .interfaceTypeExtension,
        .inputObjectTypeDefinition,
        .inputObjectTypeExtension
      )
    )
  }
}
