import GraphQL

extension GraphQLValue: Decodable {
  /// Decodes an argument, or a part of one. The name of an enum value is a string, and a file is `null`.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? InputDecoder {
      guard let value = GraphQLValue(decoder.value) else {
        throw decoder.unsuitable(expected: [InputField].shortNames)
      }
      self = value
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let items = try? container.decode([GraphQLValue].self) {
      self = .list(items)
    } else {
      self = .object(try container.decode([String: GraphQLValue].self))
    }
  }

  /// Nil if an object has a name that is too long.
  init?(_ value: InputValue) {
    switch value {
    // The request has a null in place of a file.
    case .null, .upload: self = .null
    case .int(let number): self = .int(number)
    case .float(let number): self = .double(number)
    case .boolean(let truth): self = .boolean(truth)
    case .string(let text), .enumeration(let text): self = .string(text)
    case .list(let items):
      var values: [GraphQLValue] = []
      for item in items {
        guard let value = GraphQLValue(item) else { return nil }
        values.append(value)
      }
      self = .list(values)
    case .object(let fields):
      guard fields.haveShortNames else { return nil }
      var members: [String: GraphQLValue] = [:]
      for field in fields {
        guard let value = GraphQLValue(field.value) else { return nil }
        members[field.name] = value
      }
      self = .object(members)
    }
  }
}

extension GraphQLValue: LeafConvertible {
  var leafValue: LeafValue {
    switch self {
    case .string(let text): .string(text)
    case .int(let number): .int(number)
    case .double(let number): number.isFinite ? .double(number) : .null
    case .boolean(let truth): .boolean(truth)
    case .list(let items): .list(items.map(\.leafValue))
    case .object(let members): .object(LeafValue.sorted(members).map { ($0.key, $0.value.leafValue) })
    case .null: .null
    }
  }
}

extension LeafValue {
  /// The order in which the members of an object are sent.
  static func sorted<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
    members.sorted { $0.key < $1.key }
  }
}
