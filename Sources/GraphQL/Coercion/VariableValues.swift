/// The variables of a request, coerced (specification, section 6.1.2). A variable that was neither given nor has a
/// default value is absent.
package struct VariableValues: Hashable, Sendable {
  private let names: [String]
  private let values: [InputValue?]
  /// Where each is, if there are many: a handful is looked through quicker than hashed, but documents can have
  /// thousands, each asked for by its name.
  private let indices: [String: Int]

  /// How many of anything are looked through one by one.
  static let handful = 8

  package static let none = VariableValues(names: [], values: [])

  package init(names: [String], values: [InputValue?]) {
    self.names = names
    self.values = values
    indices =
      names.count <= Self.handful
      ? [:] : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(_ name: String) -> InputValue? {
    if names.count > Self.handful { return indices[name].flatMap { values[$0] } }
    for (index, known) in names.enumerated() where known == name { return values[index] }
    return nil
  }

  /// By the variable's place in the operation's list.
  package subscript(_ index: Int) -> InputValue? { values[index] }
}

/// A variable that an operation declares.
package struct VariableDefinition: Sendable {
  package let name: String
  package let type: TypeReference
  package let defaultValue: InputValue?
  package let location: SourceLocation
}
