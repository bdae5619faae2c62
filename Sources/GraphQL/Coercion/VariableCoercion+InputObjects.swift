import JSON

extension VariableCoercion {
  mutating func inputObject(_ value: JSONValue, type: Int) -> InputValue? {
    guard value.kind == .object else {
      report(value, reason: "Expected type \"\(schema.types[type].name)\" to be an object.")
      return nil
    }
    let definitions = schema.types[type].inputFields
    let first = members.count
    defer { members.removeLast(members.count - first) }
    guard let unknownCount = collectMembers(of: value, definitions: definitions, type: type) else { return nil }
    var fields: [InputField] = []
    fields.reserveCapacity(definitions.count)
    for index in definitions.indices {
      let name = definitions[index].name
      guard let member = members[first + index] else {
        if let defaultValue = definitions[index].defaultValue {
          fields.append(InputField(name: name, value: defaultValue))
        } else if definitions[index].type.isNonNull {
          let type = schema.name(of: definitions[index].type)
          report(value, reason: "Field \"\(name)\" of required type \"\(type)\" was not provided.")
        }
        continue
      }
      path.append(.field(name))
      let coerced = coerce(member, to: definitions[index].type)
      path.removeLast()
      if errors.isStopped { return nil }
      if let coerced { fields.append(InputField(name: name, value: coerced)) }
    }
    if unknownCount > 0 { reportUnknown(in: value, schema.types[type]) }
    if schema.types[type].isOneOf { checkOneOf(value, type: schema.types[type], from: first) }
    return .object(fields)
  }

  /// Appends the provided member of each field to `members`, in the order of the definitions. Returns the number of
  /// keys that are not fields, or nil if a key is repeated, which stops coercion.
  private mutating func collectMembers(
    of object: JSONValue,
    definitions: [InputValueDefinition],
    type: Int
  ) -> Int? {
    let first = members.count
    members.append(contentsOf: repeatElement(nil, count: definitions.count))
    var unknown = 0
    guard object.nodeCount > 1, let given = object.members else { return 0 }
    // Clients usually send fields in the order of the definitions and leave some out, so the search begins with those
    // after the last match. The table hashes the name, which takes as long as comparing ten.
    var next = 0
    for (key, value) in given {
      guard let index = Self.index(of: key, in: definitions, from: next, schema.types[type].inputFieldNames) else {
        unknown += 1
        continue
      }
      guard members[first + index] == nil else {
        errors.stop(with: .givenTwice(definitions[index].name))
        return nil
      }
      members[first + index] = value
      next = index + 1
    }
    return unknown
  }

  private static func index(
    of key: JSONValue,
    in definitions: [InputValueDefinition],
    from next: Int,
    _ names: NameTable
  ) -> Int? {
    for index in next..<min(next + 4, definitions.count) where key.equals(definitions[index].name) { return index }
    return key.string.flatMap { names.index(of: $0) }
  }

  private mutating func reportUnknown(in value: JSONValue, _ type: TypeDefinition) {
    guard let members = value.members else { return }
    for (key, _) in members {
      guard let name = key.string, type.inputFieldNames.index(of: name) == nil else { continue }
      let suggestion = errors.didYouMean(name, among: type.inputFields.map(\.name))
      let shown = String(name.unicodeScalars.prefix(200))
      report(value, reason: "Field \"\(shown)\" is not defined by type \"\(type.name)\".\(suggestion)")
      if errors.isStopped { return }
    }
  }

  private mutating func checkOneOf(_ value: JSONValue, type: TypeDefinition, from first: Int) {
    let known = type.inputFields.indices.filter { members[first + $0] != nil }
    guard known.count == 1, let member = members[first + known[0]] else {
      return report(value, reason: "Exactly one key must be specified for OneOf type \"\(type.name)\".")
    }
    guard isNull(member) else { return }
    let name = type.inputFields[known[0]].name
    path.append(.field(name))
    report(member, reason: "Field \"\(name)\" must be non-null.")
    path.removeLast()
  }
}
