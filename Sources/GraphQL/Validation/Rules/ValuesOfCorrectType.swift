/// A literal can be coerced to the expected type. An input object has its required fields and no undefined ones, and a
/// `@oneOf` input object has exactly one field, which is not null (specification, sections 5.6.1, 5.6.2 and 5.6.4).
enum ValuesOfCorrectType {
  /// Checks a value other than a variable, null, or a list or input object of the expected type.
  @inline(__always)
  static func check(leaf value: NodeIndex, _ type: TypeReference, in validation: inout Validation) {
    let kind = validation.nodes[value].kind
    switch validation.index.types[type.type.index].literal {
    // A literal of at most nine characters always fits in 32 bits.
    case .int where kind == .intValue && validation.nodes[value].end &- validation.nodes[value].start < 10: return
    case .string where kind == .stringValue: return
    case .boolean where kind == .booleanValue: return
    case .id where kind == .stringValue || kind == .intValue: return
    default: checkClosely(value, type: type, in: &validation)
    }
  }

  @inline(never)
  private static func checkClosely(_ value: NodeIndex, type: TypeReference, in validation: inout Validation) {
    switch validation.index.types[type.type.index].literal {
    case .none: report(value, type: type, in: &validation)
    case .enumeration: check(enumValue: value, type.type, in: &validation)
    default:
      do {
        let coercion = validation.schema.scalars[type.type.index] ?? .any
        _ = try coercion.coerce(validation.document.untypedValue(value, variables: nil), true) {
          validation.printed(value)
        }
      } catch {
        validation.report(.valuesOfCorrectType, at: value) { error.message }
      }
    }
  }

  private static func check(enumValue value: NodeIndex, _ type: TypeID, in validation: inout Validation) {
    if validation.nodes[value].kind == .enumValue {
      let index = validation.index.enumValue(validation.nodes[value], bytes: validation.bytes, of: type.index)
      if index >= 0 {
        if validation.options.rejectsDeprecated {
          NoDeprecated.check(enumValue: value, definition: index, of: type.index, in: &validation)
        }
        return
      }
    }
    reportEnum(value, type: type, in: &validation)
  }

  @inline(never)
  private static func reportEnum(_ value: NodeIndex, type: TypeID, in validation: inout Validation) {
    let definition = validation.schema[type]
    let isEnumValue = validation.nodes[value].kind == .enumValue
    let printed = isEnumValue ? validation.name(value) : validation.printed(value)
    let suggestion =
      validation.violations.isFull
      ? "" : validation.didYouMean(printed, among: definition.enumValues.map(\.name), purpose: "the enum value")
    validation.report(.valuesOfCorrectType, at: value) {
      isEnumValue
        ? "Value \"\(printed)\" does not exist in \"\(definition.name)\" enum.\(suggestion)"
        : "Enum \"\(definition.name)\" cannot represent non-enum value: \(printed).\(suggestion)"
    }
  }

  @inline(never)
  static func report(_ value: NodeIndex, type: TypeReference, in validation: inout Validation) {
    let (type, printed) = (validation.schema.name(of: type), validation.printed(value))
    validation.report(.valuesOfCorrectType, at: value) { "Expected value of type \"\(type)\", found \(printed)." }
  }

  // MARK: Input objects

  @inline(never)
  static func report(undefined field: NodeIndex, of type: Int, in validation: inout Validation) {
    let (name, definition) = (validation.name(field), validation.schema.types[type])
    let suggestion =
      validation.violations.isFull ? "" : validation.didYouMean(name, among: definition.inputFields.map(\.name))
    validation.report(.valuesOfCorrectType, at: field) {
      "Field \"\(name)\" is not defined by type \"\(definition.name)\".\(suggestion)"
    }
  }

  static func check(object: NodeIndex, of type: Int, in validation: inout Validation) {
    let entry = validation.index.types[type]
    if entry.requiredInputs > 0 {
      for input in entry.inputs
      where validation.index.inputs[input].isRequired && !isProvided(input, by: object, in: &validation) {
        report(missing: input, of: type, at: object, in: &validation)
      }
    }
    if entry.isOneOf { check(oneOf: object, of: type, in: &validation) }
  }

  private static func isProvided(_ input: Int, by object: NodeIndex, in validation: inout Validation) -> Bool {
    let hash = validation.index.inputs[input].nameHash
    var field = object + 1
    let end = Int(validation.nodes[object].subtreeEnd)
    while field < end {
      if validation.nodes[field].nameHash == hash, validation.isNamed(field, asInput: input) { return true }
      guard validation.spend() else { return true }
      field = Int(validation.nodes[field].subtreeEnd)
    }
    return false
  }

  @inline(never)
  private static func report(missing input: Int, of type: Int, at object: NodeIndex, in validation: inout Validation) {
    let field = validation.index.inputDefinitions[input]
    let (owner, required) = (validation.typeName(type), validation.schema.name(of: field.type))
    validation.report(.valuesOfCorrectType, at: object) {
      "Field \"\(owner).\(field.name)\" of required type \"\(required)\" was not provided."
    }
  }

  /// Checks a `@oneOf` input object. `VariablesInAllowedPosition` checks a variable in it.
  private static func check(oneOf object: NodeIndex, of type: Int, in validation: inout Validation) {
    let first = object + 1
    let end = Int(validation.nodes[object].subtreeEnd)
    let name = validation.typeName(type)
    var isOne = first < end
    var other = first
    // A repeated field counts as one field here; `UniqueInputFieldNames` reports it.
    while other < end {
      if !validation.document.isSameName(first, other) { isOne = false }
      other = Int(validation.nodes[other].subtreeEnd)
    }
    guard isOne else {
      return validation.report(.valuesOfCorrectType, at: object) {
        "OneOf Input Object \"\(name)\" must specify exactly one key."
      }
    }
    var last = first
    while Int(validation.nodes[last].subtreeEnd) < end { last = Int(validation.nodes[last].subtreeEnd) }
    if validation.nodes[last + 1].kind == .nullValue {
      let field = validation.name(last)
      validation.report(.valuesOfCorrectType, at: object) { "Field \"\(name).\(field)\" must be non-null." }
    }
  }
}
