/// The order in which default values must be coerced: the default value `{}` of an input object includes the default
/// values of its fields, and so on (specification, section 3.10, `InputObjectDefaultValueHasCycle`).
struct DefaultValueDependencies {
  struct InputFieldID: Hashable {
    let type: TypeID
    let index: Int
  }

  private let schema: Schema
  /// The input fields with a default value, in the order of the schema.
  private(set) var fields: [InputFieldID] = []
  private var literals: [InputFieldID: Document] = [:]
  /// The length of the longest chain of default values that must be coerced before the default value of a field.
  private(set) var ranks: [InputFieldID: Int] = [:]
  /// Cycles of default values. The first field of each depends on itself through the others.
  private(set) var cycles: [[InputFieldID]] = []
  private var path: [InputFieldID] = []

  init(_ schema: Schema) {
    self.schema = schema
    for (index, type) in schema.types.enumerated() {
      for (fieldIndex, field) in type.inputFields.enumerated() {
        guard let literal = field.defaultLiteral else { continue }
        let id = InputFieldID(type: TypeID(index), index: fieldIndex)
        fields.append(id)
        // The literal is valid, because it was parsed before as a part of its document.
        literals[id] = try? Parser.parseValue(Source(literal))
      }
    }
    for field in fields { _ = rank(of: field) }
  }

  /// Recurses along chains of default values. A schema is part of the program and not provided by a client, so the
  /// depth is not limited.
  private mutating func rank(of field: InputFieldID) -> Int {
    if let known = ranks[field] { return known }
    guard let literal = literals[field] else { return 0 }
    if let start = path.firstIndex(of: field) {
      cycles.append(Array(path[start...]))
      return 0
    }
    path.append(field)
    let rank = rank(of: 1, in: literal, schema[field.type].inputFields[field.index].type.type)
    path.removeLast()
    ranks[field] = rank
    return rank
  }

  private mutating func rank(of value: NodeIndex, in document: Document, _ type: TypeID) -> Int {
    switch document[value].kind {
    case .listValue:
      return document.children(of: value).reduce(0) { max($0, rank(of: $1, in: document, type)) }
    case .objectValue where schema[type].kind == .inputObject:
      var highest = 0
      var given: Set<String> = []
      for field in document.children(of: value) {
        given.insert(document.name(field))
        guard let fieldIndex = schema[type].inputFieldNames.index(of: field, in: document),
          let value = document.value(of: field)
        else { continue }
        highest = max(highest, rank(of: value, in: document, schema[type].inputFields[fieldIndex].type.type))
      }
      for (fieldIndex, field) in schema[type].inputFields.enumerated()
      where field.defaultLiteral != nil && !given.contains(field.name) {
        highest = max(highest, rank(of: InputFieldID(type: type, index: fieldIndex)) + 1)
      }
      return highest
    default: return 0
    }
  }
}
