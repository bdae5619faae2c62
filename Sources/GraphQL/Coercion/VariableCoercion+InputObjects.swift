import Bytes
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
    members.extend(to: first + definitions.count, with: nil)
    guard let unknownCount = collectMembers(of: value, definitions: definitions, type: type, from: first)
    else { return nil }
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
      path.append(.field(index, ofType: type))
      let coerced = coerce(value.value(at: member), to: definitions[index].type)
      path.removeLast()
      if errors.isStopped { return nil }
      if let coerced { fields.append(InputField(name: name, value: coerced)) }
    }
    if unknownCount > 0 { reportUnknown(in: value, schema.types[type]) }
    if schema.types[type].isOneOf { checkOneOf(value, type: type, from: first) }
    return .object(fields)
  }

  /// Stores the provided member of each field in `members`, from `first` on, in the order of the definitions. Returns
  /// the number of keys that are not fields, or nil if a key is repeated, which stops coercion.
  private mutating func collectMembers(
    of object: JSONValue,
    definitions: [InputValueDefinition],
    type: Int,
    from first: Int
  ) -> Int? {
    var unknown = 0
    var repeated: Int?
    // Clients usually send fields in the order of the definitions and leave some out, so the search begins with those
    // after the last match. The table hashes the name, which takes as long as comparing ten.
    var next = 0
    object.forEachMember { key, value in
      guard repeated == nil else { return }
      guard let index = index(of: key, in: object, definitions: definitions, type: type, from: next) else {
        unknown += 1
        return
      }
      if members[first + index] != nil { repeated = index }
      members[first + index] = value
      next = index + 1
    }
    guard let repeated else { return unknown }
    errors.stop(with: .givenTwice(definitions[repeated].name))
    return nil
  }

  private func index(
    of key: JSONPosition,
    in object: JSONValue,
    definitions: [InputValueDefinition],
    type: Int,
    from next: Int
  ) -> Int? {
    for index in next..<min(next + 4, definitions.count) where object.equals(definitions[index].name, at: key) {
      return index
    }
    return object.value(at: key).string.flatMap { schema.types[type].inputFieldNames.index(of: $0) }
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

  private mutating func checkOneOf(_ value: JSONValue, type: Int, from first: Int) {
    let fields = schema.types[type].inputFields
    var known: [Int] = []
    for index in fields.indices where members[first + index] != nil { known.append(index) }
    guard known.count == 1, let position = members[first + known[0]] else {
      return report(value, reason: "Exactly one key must be specified for OneOf type \"\(schema.types[type].name)\".")
    }
    let member = value.value(at: position)
    guard isNull(member) else { return }
    let name = fields[known[0]].name
    path.append(.field(known[0], ofType: type))
    report(member, reason: "Field \"\(name)\" must be non-null.")
    path.removeLast()
  }
}
