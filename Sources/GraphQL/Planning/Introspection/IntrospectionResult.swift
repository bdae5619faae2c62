/// The results of the introspection fields `__schema` and `__type` (specification, section 4.1).
struct IntrospectionResult {
  /// JSON.
  let bytes: [UInt8]
  /// Whether the result depends on variables.
  let dependsOnVariables: Bool

  /// Whether a field of the query root operation type is an introspection field.
  static func isAskedFor(by name: String) -> Bool { name == "__schema" || name == "__type" }

  /// Resolves the field of these nodes.
  ///
  /// Fails with `BAD_USER_INPUT` if a variable in an argument has the wrong type, with `OPERATION_TOO_DEEP` or
  /// `TOO_MANY_FIELDS` beyond the plan's limits, and with `INTROSPECTION_TOO_LARGE` beyond `maximumBytes`.
  init(
    to nodes: NodeList,
    of document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    against schema: Schema,
    limits: PlanLimits,
    maximumBytes: Int
  ) throws(GraphQLError) {
    var builder = IntrospectionSelectionBuilder(
      schema: schema,
      document: document,
      fragments: fragments,
      conditions: conditions,
      variables: variables,
      limits: limits
    )
    let name = document.name(nodes[0])
    guard let definition: FieldDefinition = name == "__schema" ? .schema(schema.typeNames) : .type(schema.typeNames)
    else { throw .unknownField(name, of: schema[schema.queryType], at: document.location(nodes[0])) }
    let arguments = try builder.arguments(of: nodes[0], definition)
    let selection = try builder.selection(of: nodes, on: definition.type.type, depth: 2)
    let type = arguments["name"]?.string.flatMap { schema.type(named: $0) }.map { TypeReference(type: $0) }
    do throws(IntrospectionWriter.Overflow) {
      bytes = try IntrospectionWriter.write(schema, maximumBytes: maximumBytes) {
        (writer) throws(IntrospectionWriter.Overflow) in
        if name == "__schema" {
          try writer.writeSchema(selection)
        } else {
          try writer.writeType(type, selection: selection)
        }
      }
    } catch {
      throw GraphQLError(
        "The result of \"\(name)\" is longer than \(limits.introspectionBytes) bytes.",
        at: [document.location(nodes[0])],
        code: .introspectionTooLarge
      )
    }
    dependsOnVariables = builder.dependsOnVariables
  }
}

extension ErrorCode {
  /// The result of an introspection field exceeds the size limit.
  package static let introspectionTooLarge = ErrorCode(rawValue: "INTROSPECTION_TOO_LARGE")
}
