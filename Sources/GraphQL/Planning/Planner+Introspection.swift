extension Planner {
  /// Plans a meta-field (specification, section 4). Its result depends only on the schema, so it is written when the
  /// plan is made, unless fields below it fail.
  mutating func metaField(
    _ group: FieldCollection.Group,
    key: ConstantRange,
    on type: TypeID
  ) throws(GraphQLError) -> WriteOperation {
    let nodes = group.nodes
    let responseKey = nameRange(of: group.key, in: key)
    let name = document.name(nodes[0])
    if let definition = failingIntrospection(nodes[0], named: name, on: type) {
      return failing(nodes, definition: definition, responseKey: responseKey, key: key, on: type)
    }
    let answer: ConstantRange
    do throws(GraphQLError) {
      answer = try constantResponse(to: nodes, named: name, on: type)
    } catch {
      guard error.code == .badUserInput, let definition = schema.introspection.field(named: name) else { throw error }
      return try partialIntrospection(nodes, definition: definition, responseKey: responseKey, key: key)
    }
    fields.append(
      FieldPlan(
        responseKey: responseKey,
        type: TypeReference(type: type),
        nodes: nodes,
        call: nil,
        namePosition: nil
      )
    )
    return operation(.constant, key: key, operand: answer)
  }

  private mutating func constantResponse(
    to nodes: NodeList,
    named name: String,
    on type: TypeID
  ) throws(GraphQLError) -> ConstantRange {
    if name == "__typename" { return appendConstant("\"\(schema[type].name)\"".utf8) }
    guard type == schema.queryType, IntrospectionResult.isAskedFor(by: name) else {
      throw .unknownField(name, of: schema[type], at: document.location(nodes[0]))
    }
    let answer = try introspectionResult(to: nodes)
    dependsOnVariables = dependsOnVariables || answer.dependsOnVariables
    let start = constants.count
    answer.append(to: &constants)
    return ConstantRange(start: Int32(start), length: Int32(constants.count - start))
  }

  private func introspectionResult(
    to nodes: NodeList,
    keepsFailures: Bool = false
  ) throws(GraphQLError) -> IntrospectionResult {
    try IntrospectionResult(
      to: nodes,
      of: document,
      fragments: fragments,
      conditions: conditions,
      variables: variables,
      against: schema,
      limits: limits,
      maximumBytes: limits.introspectionBytes - constants.count - partialBytes,
      keepsFailures: keepsFailures
    )
  }

  /// Plans an introspection field below which the arguments of fields cannot be coerced. The errors are field errors,
  /// and the rest of the response is complete. Errors depend on how the request handles them, so the result is written
  /// for each response.
  private mutating func partialIntrospection(
    _ nodes: NodeList,
    definition: FieldDefinition,
    responseKey: ConstantRange,
    key: ConstantRange
  ) throws(GraphQLError) -> WriteOperation {
    let answer = try introspectionResult(to: nodes, keepsFailures: true)
    dependsOnVariables = dependsOnVariables || answer.dependsOnVariables
    partialBytes += answer.byteCount
    let position = partialIntrospections.count
    if var partial = answer.partial {
      for set in partial.sets.indices {
        for index in partial.sets[set].indices {
          let field = partial.sets[set][index]
          partial.sets[set][index].index = Int32(fields.count)
          fields.append(
            FieldPlan(
              responseKey: appendConstant(field.selected.responseKey.utf8),
              type: field.type,
              nodes: field.nodes,
              call: nil,
              namePosition: nil
            )
          )
        }
      }
      partialIntrospections.append(partial)
    }
    fields.append(
      FieldPlan(
        responseKey: responseKey,
        type: definition.type,
        nodes: nodes,
        call: nil,
        namePosition: nil
      )
    )
    return operation(
      .partialIntrospection,
      isNullable: !definition.type.isNonNull,
      key: key,
      operand: ConstantRange(start: Int32(position), length: 0)
    )
  }

  /// The definition of `__type`, if its argument cannot be coerced with these variables.
  private func failingIntrospection(_ node: NodeIndex, named name: String, on type: TypeID) -> FieldDefinition? {
    guard name == "__type", type == schema.queryType,
      let definition = schema.introspection.typeField
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
  private mutating func failing(
    _ nodes: NodeList,
    definition: FieldDefinition,
    responseKey: ConstantRange,
    key: ConstantRange,
    on type: TypeID
  ) -> WriteOperation {
    dependsOnVariables = true
    let values = dynamicArguments(of: nodes[0], definition.arguments)
    let arguments = self.arguments.insert(values, of: nodes[0], on: type)
    let field = BoundField(
      definition,
      at: schema.index.field(document.nodes[nodes[0]], bytes: document.source.bytes, of: type.index),
      of: type,
      in: schema,
      binding: .leaf(needs: []) { _ in .null },
      columns: [],
      weights: FieldWeights(definition, in: schema, inputsWeigh: false, listSize: 1),
      typeWeight: 0,
      fieldNames: [],
      namePosition: nil
    )
    let slot = calls.leafSlot(of: field, arguments)
    fields.append(
      FieldPlan(
        responseKey: responseKey,
        type: definition.type,
        nodes: nodes,
        call: .leaf(slot),
        namePosition: nil
      )
    )
    return operation(
      .leafValue,
      isComputed: true,
      source: slot,
      isNullable: !definition.type.isNonNull,
      key: key,
      operand: ConstantRange(start: 0, length: 0)
    )
  }
}
