/// Checks the limits on operations with their fragments expanded: `depth`, `rootFields`, `fragmentSpreads`.
enum OperationLimits {
  /// - Parameter graph: Nil if the document has no fragments.
  static func check(_ graph: FragmentGraph?, in validation: inout Validation) {
    let limits = validation.options.limits
    for definition in validation.definitions where definition.isOperation {
      let size = graph?.size(of: definition, validation.spreads) ?? SpreadSize(definition)
      if size.depth > limits.depth {
        report(definition.node, code: .operationTooDeep, in: &validation) {
          "The operation selects fields deeper than \(limits.depth) levels."
        }
      }
      if size.rootFields > limits.rootFields {
        report(definition.node, code: .tooManyRootFields, in: &validation) {
          "The operation selects more than \(limits.rootFields) fields at its root."
        }
      }
      if size.spreads > limits.fragmentSpreads {
        report(definition.node, code: .tooManyFragmentSpreads, in: &validation) {
          "The operation spreads more than \(limits.fragmentSpreads) fragments."
        }
      }
    }
  }

  @inline(never)
  private static func report(
    _ operation: NodeIndex,
    code: ErrorCode,
    in validation: inout Validation,
    _ message: () -> String
  ) {
    validation.violations.append(
      .limits,
      order: .entering(operation),
      at: [validation.nodes[operation].start],
      code: code,
      message
    )
  }
}
