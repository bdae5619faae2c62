/// The variables of a request, coerced (specification, section 6.1.2). A variable that was neither given nor has a
/// default value is absent.
package struct VariableValues: Hashable, Sendable {
  private let names: [String]
  private let values: [InputValue?]

  package static let none = VariableValues(names: [], values: [])

  package init(names: [String], values: [InputValue?]) {
    self.names = names
    self.values = values
  }

  package subscript(_ name: String) -> InputValue? {
    for (place, known) in names.enumerated() where known == name { return values[place] }
    return nil
  }

  /// By the variable's place in the operation's list.
  package subscript(_ place: Int) -> InputValue? { values[place] }
}

/// A variable that an operation declares.
package struct VariableDefinition: Sendable {
  package let name: String
  package let type: TypeReference
  package let defaultValue: InputValue?
  package let location: SourceLocation
}
