/// The names of a directive and its arguments are not reserved, and its arguments have input types (specification,
/// section 3.13).
enum DirectiveDefinitionsAreValid {
  static func check(_ validation: inout TypeValidation) {
    for directive in validation.schema.directives {
      validation.checkName(directive.name, at: .directive(directive.name))
      for argument in directive.arguments {
        validation.checkArgument(argument, at: .directiveArgument(directive: directive.name, name: argument.name))
      }
    }
  }
}
