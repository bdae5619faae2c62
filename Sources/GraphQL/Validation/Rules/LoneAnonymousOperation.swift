/// An operation without a name is its document's only one (specification, section 5.2.3.1).
enum LoneAnonymousOperation {
  /// To be called for documents of more than one operation.
  static func check(in validation: inout Validation) {
    for operation in validation.document.children(of: 0, .operationDefinition)
    where validation.nodes[operation].nameLength == 0 {
      validation.report(.loneAnonymousOperation, operation) {
        "This anonymous operation must be the only defined operation."
      }
    }
  }
}
