/// Prepares an operation from the bytes of a document: parses and validates the document and selects the operation
/// (specification, section 6.1).
package struct Preparation: Sendable {
  package let executable: ExecutableSchema
  package var parsing: ParseOptions
  /// Nil for documents that are known to be valid. An invalid document then either fails when it is planned, or is
  /// planned without its invalid parts. It is never executed beyond its limits.
  package var validation: ValidationOptions?
  package var limits: PlanLimits

  package init(_ executable: ExecutableSchema, limits: RequestLimits = RequestLimits()) {
    self.executable = executable
    parsing = limits.parsing
    validation = limits.validation
    self.limits = limits.planning
  }

  package func prepare(_ bytes: [UInt8], operationName: String?) throws(GraphQLErrors) -> PreparedOperation {
    let document = try parse(bytes)
    if let validation {
      let errors = Validator.validate(document, against: executable.schema, options: validation)
      guard errors.isEmpty else { throw GraphQLErrors(errors) }
    }
    let operation = try choose(operationName, in: document)
    return try PreparedOperation(
      document: document,
      operation: operation,
      executable: executable,
      limits: limits
    )
  }

  /// The type of the selected operation, which requires neither a valid document nor a plan.
  package func operationType(of bytes: [UInt8], operationName: String?) throws(GraphQLErrors) -> OperationType {
    let document = try parse(bytes)
    return OperationType(document[try choose(operationName, in: document)].flags)
  }

  private func parse(_ bytes: [UInt8]) throws(GraphQLErrors) -> Document {
    do {
      return try Parser.parse(Source(bytes), options: parsing)
    } catch {
      throw GraphQLErrors([error])
    }
  }

  /// Specification, section 6.1, `GetOperation`.
  private func choose(_ name: String?, in document: Document) throws(GraphQLErrors) -> NodeIndex {
    let operations = Array(document.children(of: 0, .operationDefinition))
    if let name {
      if let operation = operations.first(where: { document.name($0) == name }) { return operation }
      throw GraphQLErrors([
        GraphQLError("Unknown operation named \"\(name)\".", code: .operationResolutionFailed)
      ])
    }
    guard let operation = operations.first else {
      throw GraphQLErrors([GraphQLError("Must provide an operation.", code: .operationResolutionFailed)])
    }
    guard operations.count == 1 else {
      throw GraphQLErrors([
        GraphQLError(
          "Must provide operation name if query contains multiple operations.",
          code: .operationResolutionFailed
        )
      ])
    }
    return operation
  }
}
