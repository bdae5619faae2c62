import GraphQL

extension Schema {
  /// The schema that a client is generated for. It must have each scalar whose type the caller has set.
  ///
  /// - Parameters:
  ///   - text: The schema in the schema definition language.
  ///   - options: The options, which contain the types of scalars.
  static func ofClient(
    _ text: String,
    options: GenerationOptions = GenerationOptions()
  ) throws(GenerationError) -> Schema {
    let schema: Schema
    do {
      schema = try SchemaBuilder.build(text).inheritingDescriptions()
    } catch {
      throw GenerationError(
        messages: ["The schema is not valid:"] + error.description.split(separator: "\n").map(String.init)
      )
    }
    let scalars = schema.types.filter { $0.kind == .scalar }.map(\.name)
    let unknown = options.ownScalars.filter { !scalars.contains($0) }
    guard unknown.isEmpty else {
      throw GenerationError(
        messages: unknown.map { name in
          "The schema has no scalar \(name), of which `--scalar` sets the type."
            + Suggestions.didYouMean("", suggestions: Suggestions.list(for: name, among: scalars))
        }
      )
    }
    return schema
  }

  /// Whether the objects of a type have an id.
  func hasID(_ type: TypeDefinition) -> Bool {
    guard type.kind == .object || type.kind == .interface, let field = type.field("id") else { return false }
    return self[field.type.type].name == "ID" && !field.type.isList
  }

  /// The type whose objects have an id, if the name of the id contains the type's: a `choreId` is the id of a `Chore`,
  /// `choreIds` are those of several, and the `id` of an `UpdateChoreInput` is that of a `Chore` too.
  ///
  /// - Parameters:
  ///   - key: The name of an argument, a variable, or a field of an object or an input object.
  ///   - inputObject: The input object that has the field.
  func ownerOfID(key: String, in inputObject: TypeDefinition? = nil) -> TypeID? {
    guard let owner = ownerName(ofKey: key, in: inputObject).flatMap({ type(named: $0) }), hasID(self[owner]) else {
      return nil
    }
    return owner
  }

  private func ownerName(ofKey key: String, in inputObject: TypeDefinition?) -> String? {
    if key == "id", let name = inputObject?.name, name.hasSuffix("Input") {
      // Without the verb.
      return String(name.dropLast("Input".count).dropFirst().drop { !$0.isUppercase })
    }
    guard let suffix = ["Ids", "Id"].first(where: key.hasSuffix) else { return nil }
    return SwiftName.capitalised(key.dropLast(suffix.count))
  }
}
