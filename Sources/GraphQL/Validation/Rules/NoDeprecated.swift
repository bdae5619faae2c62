/// No deprecated element is used. This rule checks the documents of clients, and is not a part of the specification.
enum NoDeprecated {
  static func report(field: NodeIndex, definition index: Int, of parent: Int, in validation: inout Validation) {
    let definition = validation.index.fieldDefinitions[index]
    report(
      field,
      what: "The field \(validation.typeName(parent)).\(definition.name)",
      reason: definition.deprecationReason,
      in: &validation
    )
  }

  static func report(
    argument: NodeIndex,
    definition index: Int,
    _ owner: Validation.ArgumentOwner,
    in validation: inout Validation
  ) {
    let definition = validation.index.inputDefinitions[index]
    let ownerName =
      switch owner {
      case .field(let field, of: let parent):
        "Field \"\(validation.typeName(parent)).\(validation.index.fieldDefinitions[field].name)\""
      case .directive(let directive): "Directive \"@\(validation.schema.directives[directive].name)\""
      case .unknown: ""
      }
    report(
      argument,
      what: "\(ownerName) argument \"\(definition.name)\"",
      reason: definition.deprecationReason,
      in: &validation
    )
  }

  static func report(inputField field: NodeIndex, definition index: Int, of type: Int, in validation: inout Validation)
  {
    let definition = validation.index.inputDefinitions[index]
    report(
      field,
      what: "The input field \(validation.typeName(type)).\(definition.name)",
      reason: definition.deprecationReason,
      in: &validation
    )
  }

  /// - Parameter index: The index of the value in its enum.
  static func check(enumValue value: NodeIndex, definition index: Int, of type: Int, in validation: inout Validation) {
    let definition = validation.schema.types[type].enumValues[index]
    guard let reason = definition.deprecationReason else { return }
    report(
      value,
      what: "The enum value \"\(validation.typeName(type)).\(definition.name)\"",
      reason: reason,
      in: &validation
    )
  }

  private static func report(_ node: NodeIndex, what: String, reason: String?, in validation: inout Validation) {
    validation.report(.noDeprecated, at: node) { "\(what) is deprecated. \(reason ?? "")" }
  }
}
