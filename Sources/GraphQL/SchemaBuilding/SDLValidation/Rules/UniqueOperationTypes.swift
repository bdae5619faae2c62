/// A schema has at most one root operation type for each kind of operation (specification, section 3.3.1).
enum UniqueOperationTypes {
  static func check(_ validation: inout SDLValidation) {
    let document = validation.document
    var defined: [OperationType: NodeIndex] = [:]
    for node in validation.definitions(.schemaDefinition, .schemaExtension) {
      for root in document.children(of: node, .rootOperationTypeDefinition) {
        let operation = OperationType(document[root].flags)
        if validation.existing?.rootOperations.contains(operation) == true {
          validation.report(
            at: validation.start(of: root),
            message: "Type for \(operation.rawValue) already defined in the schema. It cannot be redefined."
          )
        } else if let first = defined[operation] {
          validation.report(
            at: validation.start(of: first),
            validation.start(of: root),
            message: "There can be only one \(operation.rawValue) type in schema."
          )
        } else {
          defined[operation] = root
        }
      }
    }
  }
}
