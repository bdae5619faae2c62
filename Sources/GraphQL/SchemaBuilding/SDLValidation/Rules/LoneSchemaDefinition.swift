/// A document contains at most one schema definition, and none if it extends a schema (specification, section 3.3).
enum LoneSchemaDefinition {
  static func check(_ validation: inout SDLValidation) {
    let definitions = validation.definitions(.schemaDefinition)
    let isDefined = validation.existing.map { $0.hasSchemaDefinition || !$0.rootOperations.isEmpty } ?? false
    if isDefined {
      for node in definitions {
        validation.report(
          at: validation.start(of: node),
          message: "Cannot define a new schema within a schema extension."
        )
      }
    } else {
      for node in definitions.dropFirst() {
        validation.report(at: validation.start(of: node), message: "Must provide only one schema definition.")
      }
    }
  }
}
