extension Planner {
  /// The call of a field node. Nodes with equal identity share one call.
  mutating func call(of node: NodeIndex, _ field: BoundField) throws(GraphQLError) -> FieldCallReference {
    // The schema does not allow arguments here.
    if case .column(let column) = field.binding { return .stored(field: field.index, column: column) }
    let arguments = field.hasArguments ? try arguments(of: node, field) : .none
    return field.isComposite
      ? .objects(calls.objectsSlot(of: field, arguments)) : .leaf(calls.leafSlot(of: field, arguments))
  }

  private mutating func arguments(of node: NodeIndex, _ field: BoundField) throws(GraphQLError) -> ArgumentDraft {
    let type = field.parentType
    if let known = arguments.known(of: node, on: type) { return known }
    let definitions = schema.index.fieldDefinitions[field.index].arguments
    return arguments.insert(try values(of: node, definitions), of: node, on: type)
  }

  private func values(
    of field: NodeIndex,
    _ definitions: [InputValueDefinition]
  ) throws(GraphQLError) -> ArgumentDraft.Values {
    guard !containsVariables(field) else { return dynamicArguments(of: field, definitions) }
    do {
      return .constant(
        try ArgumentCoercion.coerce(
          field,
          definitions: definitions,
          in: LiteralCoercion(schema: schema, document: document, variables: nil)
        )
      )
    } catch {
      throw GraphQLError(error.message, at: [error.origin.location(in: document, of: field)], code: .badUserInput)
    }
  }

  func dynamicArguments(of field: NodeIndex, _ definitions: [InputValueDefinition]) -> ArgumentDraft.Values {
    let given = GivenArguments(of: field, definitions: definitions, in: document)
    let texts = given.arguments.map { argument in
      argument.map { $0.variable.map { "$" + $0 } ?? Printer.print($0.value, of: document) }
    }
    return .dynamic(given, texts: texts)
  }

  /// Whether any argument contains a variable, at any depth. The nodes of the value are the argument's subtree.
  private func containsVariables(_ field: NodeIndex) -> Bool {
    document.children(of: field, .argument).contains { argument in
      (argument..<Int(document[argument].subtreeEnd)).contains { document[$0].kind == .variable }
    }
  }
}
