extension Schema {
  /// The same schema, in which a field or argument without a description has that of the interface which declares it.
  ///
  /// GraphQL defines no such inheritance, so `SchemaBuilder` does not do it by itself. With it, an interface describes
  /// its fields once, and introspection describes them in each implementing type.
  package func inheritingDescriptions() -> Schema {
    Schema(
      description: description,
      types: types.map(inheritingDescriptions),
      directives: directives,
      queryType: queryType,
      mutationType: mutationType,
      subscriptionType: subscriptionType,
      scalars: scalars,
      appliedDirectives: appliedDirectives
    )
  }

  private func inheritingDescriptions(_ type: TypeDefinition) -> TypeDefinition {
    var type = type
    for index in type.fields.indices {
      let declared = type.interfaces.compactMap { self[$0].field(type.fields[index].name) }
      if type.fields[index].description == nil {
        type.fields[index].description = declared.lazy.compactMap(\.description).first
      }
      for argument in type.fields[index].arguments.indices
      where type.fields[index].arguments[argument].description == nil {
        let name = type.fields[index].arguments[argument].name
        let arguments = declared.lazy.flatMap(\.arguments).filter { $0.name == name }
        type.fields[index].arguments[argument].description = arguments.compactMap(\.description).first
      }
    }
    return type
  }
}
