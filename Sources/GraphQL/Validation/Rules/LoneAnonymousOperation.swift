/// An anonymous operation is the only operation of its document (specification, section 5.2.3.1).
enum LoneAnonymousOperation {
  /// Must be called only for documents with several operations.
  static func check(in validation: inout Validation) {
    for operation in validation.document.children(of: 0, .operationDefinition)
    where validation.nodes[operation].nameLength == 0 {
      validation.report(.loneAnonymousOperation, at: operation) {
        "This anonymous operation must be the only defined operation."
      }
    }
  }
}
