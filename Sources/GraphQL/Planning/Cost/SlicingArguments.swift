/// `requireOneSlicingArgument` of `@listSize` (IBM's cost directives draft): an operation must provide exactly one
/// slicing argument, which determines the list size.
///
/// An argument counts as provided if its value is not null. If no argument is provided, a default value in the schema
/// takes its place. A provided argument overrides all default values.
enum SlicingArguments {
  static func check(
    _ plan: OperationPlan,
    of document: Document,
    _ variables: VariableValues
  ) throws(GraphQLError) {
    for field in plan.slicedFields {
      guard let bound = plan.boundField(of: field) else { continue }
      let names = bound.weights.slicingArguments
      let count = document.children(of: field.nodes[0], .argument).count { argument in
        names.contains(document.name(argument)) && isProvided(document.value(of: argument), in: document, variables)
      }
      guard count != 1, count > 1 || !bound.weights.hasSlicingDefault else { continue }
      let quoted = names.map { "\"\($0)\"" }
      let wanted =
        quoted.count == 1
        ? "the argument \(quoted[0])" : "exactly one of the arguments \(quoted.joined(separator: ", "))"
      throw GraphQLError(
        "Field \"\(bound.name)\" requires \(wanted) to limit the size of its list, but \(count) were provided.",
        at: [document.location(field.nodes[0])],
        code: .oneSlicingArgumentRequired
      )
    }
  }

  private static func isProvided(_ value: NodeIndex?, in document: Document, _ variables: VariableValues) -> Bool {
    guard let value else { return false }
    switch document[value].kind {
    case .nullValue: return false
    case .variable: return !(variables[document.name(value)]?.isNull ?? true)
    default: return true
    }
  }
}

extension ErrorCode {
  /// A list field requires exactly one of its slicing arguments.
  package static let oneSlicingArgumentRequired = ErrorCode(rawValue: "ONE_SLICING_ARGUMENT_REQUIRED")
}
