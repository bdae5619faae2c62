import JSON

extension VariableCoercion {
  /// The values of variables that accept every string, if all are given once, as strings, and no others are given; nil
  /// otherwise. They cannot have errors, so this takes a third of the instructions.
  static func texts(
    _ given: GivenVariables,
    for variables: VariableDefinitions,
    limits: VariableLimits
  ) -> VariableValues? {
    let count = variables.names.count
    guard variables.acceptAllStrings, count <= min(VariableValues.handful, limits.values) else { return nil }
    // The object has a key and a string for each definition and nothing else, so that looking them up is bounded.
    guard given.valueCount == 1 + 2 * count else { return nil }
    if count == 1 {
      return given.text(ofOnly: variables.names[0]).map { VariableValues(names: variables.names, value: .string($0)) }
    }
    var values: [InputValue?] = []
    values.reserveCapacity(count)
    for name in variables.names {
      guard let text = given.text(ofOnly: name) else { return nil }
      values.append(.string(text))
    }
    return VariableValues(names: variables.names, values: values)
  }
}
