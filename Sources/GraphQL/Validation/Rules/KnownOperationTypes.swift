/// The schema has the root operation type of each operation (specification, section 5.2.1.1).
enum KnownOperationTypes {
  @inline(never)
  static func report(_ operation: NodeIndex, of type: OperationType, in validation: inout Validation) {
    validation.report(.knownOperationTypes, at: operation) {
      "The \(type.rawValue) operation is not supported by the schema."
    }
  }
}
