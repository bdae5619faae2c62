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
}
