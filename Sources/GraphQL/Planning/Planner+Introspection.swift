extension Planner {
  /// The constant result of a meta-field (specification, section 4), or nil for other fields. The result depends only
  /// on the schema, so it is written when the plan is made.
  mutating func constantResponse(
    to nodes: [NodeIndex],
    named name: String,
    on type: TypeID
  ) throws(GraphQLError) -> ConstantRange? {
    if name == "__typename" { return appendConstant("\"\(schema[type].name)\"".utf8) }
    guard type == schema.queryType, IntrospectionResult.isAskedFor(by: name) else { return nil }
    let answer = try IntrospectionResult(
      to: nodes,
      of: document,
      fragments: fragments,
      conditions: conditions,
      variables: variables,
      against: schema,
      limits: limits,
      maximumBytes: limits.introspectionBytes - constants.count
    )
    dependsOnVariables = dependsOnVariables || answer.dependsOnVariables
    return appendConstant(answer.bytes)
  }

  /// The definition of `__type`, if its argument cannot be coerced with these variables.
  func failingIntrospection(_ node: NodeIndex, named name: String, on type: TypeID) -> FieldDefinition? {
    guard name == "__type", type == schema.queryType,
      let definition: FieldDefinition = .type(schema.typeNames)
    else { return nil }
    let literals = LiteralCoercion(schema: schema, document: document, variables: variables)
    do {
      _ = try ArgumentCoercion.coerce(node, definitions: definition.arguments, in: literals)
      return nil
    } catch {
      return definition
    }
  }

  /// Plans such a `__type` field like an ordinary field, so that coercion of its arguments fails during execution. The
  /// error is then a field error, and the rest of the response is complete.
  mutating func failing(
    _ nodes: [NodeIndex],
    definition: FieldDefinition,
    responseKey: String,
    key: ConstantRange,
    on type: TypeID
  ) -> WriteOperation {
    dependsOnVariables = true
    let coordinate = "\(schema[type].name).\(definition.name)"
    let arguments = self.arguments.insert(dynamicArguments(of: nodes[0], definition), of: nodes[0], on: type)
    let call = calls.register(
      FieldCallIdentity(type: type, field: -1, arguments: arguments.identity),
      kind: .leaf,
      draft: FieldCallDraft(
        parentType: type,
        name: definition.name,
        type: definition.type,
        binding: .leaf(needs: []) { _ in .null },
        arguments: arguments,
        weights: FieldWeights(definition, in: schema, inputsWeigh: false),
        coordinate: coordinate
      )
    )
    drafts.append(
      FieldDraft(
        responseKey: responseKey,
        name: definition.name,
        type: definition.type,
        nodes: nodes,
        call: call,
        coordinate: coordinate
      )
    )
    return operation(
      .leafValue,
      isComputed: true,
      source: call.slot,
      isNullable: !definition.type.isNonNull,
      key: key,
      extra: ConstantRange(start: 0, length: 0)
    )
  }
}
