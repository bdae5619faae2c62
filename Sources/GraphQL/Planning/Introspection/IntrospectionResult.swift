/// The answers to the fields that ask about the schema, `__schema` and `__type` (specification, section 4.1).
struct IntrospectionResult {
  /// JSON.
  let bytes: [UInt8]
  /// Whether other variables may have another answer.
  let dependsOnVariables: Bool

  /// Whether a field of the query root type is one of these.
  static func isAskedFor(by name: String) -> Bool { name == "__schema" || name == "__type" }

  /// The answer to a field's nodes.
  ///
  /// Fails with `BAD_USER_INPUT` where a variable given for an argument is not of its type, `OPERATION_TOO_DEEP` and
  /// `TOO_MANY_FIELDS` past the plan's limits, and `INTROSPECTION_TOO_LARGE` past `maximumBytes`.
  init(
    to nodes: [NodeIndex],
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
        if name == "__schema" { try writer.writeSchema(selection) } else { try writer.writeType(type, selection) }
      }
    } catch {
      throw GraphQLError(
        "The answer to \"\(name)\" is longer than \(limits.introspectionBytes) bytes.",
        at: [document.location(nodes[0])],
        code: .introspectionTooLarge
      )
    }
    dependsOnVariables = builder.dependsOnVariables
  }
}

extension ErrorCode {
  /// Introspection would be answered with more bytes than are given.
  package static let introspectionTooLarge = ErrorCode(rawValue: "INTROSPECTION_TOO_LARGE")
}
