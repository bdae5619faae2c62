/// The type of a variable is compatible with every location where the variable is used. A field of a `@oneOf` input
/// object counts as a non-null location (specification, section 5.8.5).
enum VariablesInAllowedPosition {
  @inline(__always)
  static func isAllowed(_ usage: VariableUsage, variable: DeclaredVariable) -> Bool {
    guard let expected = usage.type, let type = variable.type else { return true }
    return type == expected && usage.oneOf < 0
      || isAllowed(type, variable: variable, at: expected, usage: usage)
  }

  /// `IsVariableUsageAllowed(variableDefinition, variableUsage)`
  private static func isAllowed(
    _ type: TypeReference,
    variable: DeclaredVariable,
    at expected: TypeReference,
    usage: VariableUsage
  ) -> Bool {
    // `IsNonNullPosition(locationType, variableUsage)`
    let isNonNullPosition = expected.isNonNull || usage.oneOf >= 0
    if isNonNullPosition && !type.isNonNull {
      guard variable.hasNonNullDefault || usage.locationHasDefault else { return false }
      return areCompatible(type, location: expected.nullable)
    }
    return areCompatible(type, location: expected)
  }

  /// `AreTypesCompatible(variableType, locationType)`
  private static func areCompatible(_ type: TypeReference, location expected: TypeReference) -> Bool {
    guard type.type == expected.type else { return false }
    var (type, expected) = (type, expected)
    while true {
      if expected.isNonNull && !type.isNonNull { return false }
      (type, expected) = (type.nullable, expected.nullable)
      guard type.isList && expected.isList else { return type.isList == expected.isList }
      (type, expected) = (type.item, expected.item)
    }
  }

  static func check(
    _ usage: VariableUsage,
    variable: DeclaredVariable,
    operation: NodeIndex,
    in validation: inout Validation
  ) {
    guard let expected = usage.type, let type = variable.type, !isAllowed(usage, variable: variable) else { return }
    let order = VisitOrder.leaving(operation, nodes: validation.nodes)
    let offsets = [validation.nodes[variable.node].start, validation.nodes[usage.node].start]
    let name = validation.name(variable.node)
    let written = validation.schema.name(of: type)
    if usage.oneOf < 0 || !areCompatible(type, location: expected.nullable) {
      let expected = validation.schema.name(of: expected)
      validation.violations.append(.variablesInAllowedPosition, order: order, at: offsets) {
        "Variable \"$\(name)\" of type \"\(written)\" used in position expecting type \"\(expected)\"."
      }
    }
    if usage.oneOf >= 0 && !type.isNonNull && !variable.hasNonNullDefault {
      let oneOf = validation.typeName(usage.oneOf)
      validation.violations.append(.variablesInAllowedPosition, order: order, at: offsets) {
        "Variable \"$\(name)\" is of type \"\(written)\" but must be non-nullable to be used for OneOf Input Object "
          + "\"\(oneOf)\"."
      }
    }
  }
}
