import GraphQL

extension SwiftGenerator {
  /// A variable, which is an argument of the operation's initializer.
  private struct Variable {
    let key: String
    let property: String
    let type: String
    let absence: String?
  }

  mutating func write(
    operation: NodeIndex,
    name: String,
    selection: Selection,
    documents: SentDocuments,
    to writer: inout SwiftWriter
  ) {
    let document = client.document
    let kind = SwiftName.capitalised(OperationType(document[operation].flags).rawValue)
    let variables = variables(of: operation)
    let description = document.description(of: operation).map { document.stringValue(of: $0) }
    writer.comment(description)
    writer.block("\(access)nonisolated struct \(name): GraphQL\(kind)") { writer in
      writer.line("\(access)static let operationName = \(literal(document.name(operation)))")
      let text = documents.text(of: operation)
      if let id = options.documentID?(text) {
        writer.line("\(access)static let documentID: String? = \(literal(id))")
      }
      writer.string(text, after: "\(access)static let document = ")
      writer.line()
      for variable in variables {
        writer.line("\(access)var \(SwiftName.escaped(variable.property)): \(variable.type)")
      }
      if !variables.isEmpty { writer.line() }
      let arguments = variables.map { argument(named: $0.property, type: $0.type, default: $0.absence) }
      writer.arguments(of: "\(access)init", arguments) { writer in
        for variable in variables { writer.line("self.\(variable.property) = \(SwiftName.escaped(variable.property))") }
      }
      writer.line()
      writer.block("\(access)var variables: [GraphQLInputField]") { writer in
        if variables.isEmpty {
          writer.line("[]")
        } else {
          writer.line("[")
          for variable in variables {
            writer.line("  GraphQLInputField(\(literal(variable.key)), \(SwiftName.escaped(variable.property))),")
          }
          writer.line("]")
        }
      }
      writer.line()
      write(selection, named: "Data", description: nil, to: &writer)
    }
  }

  private mutating func variables(of operation: NodeIndex) -> [Variable] {
    let document = client.document
    var variables: [Variable] = []
    for node in document.children(of: operation, .variableDefinition) {
      guard let typeNode = document.type(of: node), let type = schema.reference(typeNode, in: document) else {
        continue
      }
      let key = document.name(node)
      let (written, absence) = inputType(type, key: key, hasDefault: document.value(of: node) != nil)
      variables.append(
        Variable(key: key, property: SwiftName.property(key), type: written, absence: absence)
      )
    }
    return variables
  }

  /// The Swift type of an input value, and its default in Swift if it can be omitted.
  mutating func inputType(
    _ type: TypeReference,
    key: String,
    in inputObject: TypeDefinition? = nil,
    hasDefault: Bool
  ) -> (type: String, absence: String?) {
    let name = wrappedNonNull(type, named: inputName(of: type.type, key: key, in: inputObject))
    if !type.isNonNull { return ("GraphQLNullable<\(name)>", ".absent") }
    // The value can be omitted but must not be null.
    return hasDefault ? (name + "?", "nil") : (name, nil)
  }

  func argument(named property: String, type: String, default absence: String?) -> String {
    "\(SwiftName.escaped(property)): \(type)" + (absence.map { " = " + $0 } ?? "")
  }
}
