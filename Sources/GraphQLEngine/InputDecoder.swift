import GraphQL

/// What input values are decoded with: the Swift types of scalars, and the files of the request.
struct InputReferences: Sendable {
  let scalars: [ObjectIdentifier: ScalarTypes.Conversion]
  /// `InputValue.upload` refers to them by index.
  let files: [Upload]
}

/// Decodes Swift values from coerced input values.
struct InputDecoder: Decoder {
  let value: InputValue
  let codingPath: [any CodingKey]
  let references: InputReferences
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from value: InputValue,
    named name: String?,
    of field: DeclaredField,
    _ references: InputReferences
  ) throws -> Value {
    do {
      let path = name.map { [InputKey(stringValue: $0)] } ?? []
      return try InputDecoder(value: value, codingPath: path, references: references).decode(type)
    } catch let error as DecodingError {
      throw error.forClients(of: field)
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Common types without a container.
    switch (type, value) {
    case (is String.Type, .string(let text)), (is String.Type, .enumeration(let text)):
      if let text = text as? Value { return text }
    case (is Int.Type, .int(let number)): if let number = Int(exactly: number) as? Value { return number }
    case (is Bool.Type, .boolean(let truth)): if let truth = truth as? Value { return truth }
    default: break
    }
    if let scalar = references.scalars[ObjectIdentifier(type)] { return try decode(type, by: scalar) }
    return try Value(from: self)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, by scalar: ScalarTypes.Conversion) throws -> Value {
    if value.isNull { throw mismatch(type, expected: "a \(type)") }
    let read: Any?
    do {
      read = try scalar.read(value)
    } catch {
      throw unsuitable(expected: "a \(type)", reason: GraphQLError(showing: error)?.message)
    }
    guard let read = read as? Value else { throw unsuitable(expected: "a \(type)") }
    return read
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let fields) = value else {
      throw mismatch([String: InputValue].self, expected: "an input object")
    }
    guard fields.haveShortNames else { throw unsuitable(expected: [InputField].shortNames) }
    return KeyedDecodingContainer(InputFieldContainer(fields: fields, codingPath: codingPath, references: references))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let items) = value else { throw mismatch([InputValue].self, expected: "a list") }
    return InputListContainer(items: items, codingPath: codingPath, references: references)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// A value of another type than the expected one.
  func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(expected).")
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// A value of a type that represents others of the same type.
  func unsuitable(expected: String, reason: String? = nil) -> DecodingError {
    let description = "Expected \(expected)." + (reason.map { " \($0)" } ?? "")
    return .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: description))
  }
}

extension InputDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let truth = value.boolean else { throw mismatch(type, expected: "a boolean") }
    return truth
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = value.string else { throw mismatch(type, expected: "a string") }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .float(let number): return number
    case .int(let number): return Double(number)
    default: throw mismatch(type, expected: "a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  /// An `ID` may be a string that contains a number.
  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    let number: Integer? =
      switch value {
      case .int(let number): Integer(exactly: number)
      case .float(let number): Integer(exactly: number)
      case .string(let text): Integer(text)
      default: throw mismatch(Integer.self, expected: "an integer")
      }
    guard let number else { throw unsuitable(expected: "an integer") }
    return number
  }
}

/// The items of a list.
struct InputListContainer: UnkeyedDecodingContainer {
  let items: [InputValue]
  let codingPath: [any CodingKey]
  let references: InputReferences
  private(set) var currentIndex = 0
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  init(items: [InputValue], codingPath: [any CodingKey], references: InputReferences) {
    self.items = items
    self.codingPath = codingPath
    self.references = references
  }

  private func decoder() throws -> InputDecoder {
    let path = codingPath + [InputKey(stringValue: String(currentIndex))]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        InputValue.self,
        DecodingError.Context(codingPath: path, debugDescription: "The list has no more items.")
      )
    }
    return InputDecoder(value: items[currentIndex], codingPath: path, references: references)
  }

  mutating func decodeNil() throws -> Bool {
    let isNull = try decoder().decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try decoder().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder()
    currentIndex += 1
    return decoder
  }
}

/// The name of an argument or input field, or the index of an item.
struct InputKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
