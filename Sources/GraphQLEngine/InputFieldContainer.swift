import GraphQL

/// The fields of an input object.
struct InputFieldContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: [InputField]
  let codingPath: [any CodingKey]
  let references: InputReferences
  /// Whether the only field is the value of an enum's case, which the schema does not name.
  private let isCase: Bool
  /// The positions of many fields by their names: the value of a custom scalar can have tens of thousands.
  private let positions: [String: Int]
  var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.name) } }

  init(fields: [InputField], codingPath: [any CodingKey], references: InputReferences, isCase: Bool = false) {
    (self.fields, self.codingPath, self.references, self.isCase) = (fields, codingPath, references, isCase)
    positions = fields.count > 32 ? Dictionary(zip(fields.map(\.name), fields.indices)) { first, _ in first } : [:]
  }

  private func field(_ name: String) -> InputField? {
    positions.isEmpty ? fields.first { $0.name == name } : positions[name].map { fields[$0] }
  }

  private func decoder(for key: some CodingKey) throws -> InputDecoder {
    guard let field = field(key.stringValue) else {
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
    let path = isCase ? codingPath : codingPath + [key]
    return InputDecoder(value: field.value, codingPath: path, references: references)
  }

  func contains(_ key: Key) -> Bool { field(key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(for: key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let decoder = try decoder(for: key)
    guard type.isAssociatedValue else { return try decoder.container(keyedBy: type) }
    let value = InputField(name: associatedValueName, value: decoder.value)
    return KeyedDecodingContainer(
      InputFieldContainer<Nested>(
        fields: [value],
        codingPath: decoder.codingPath,
        references: references,
        isCase: true
      )
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(for: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(for: InputKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }
}

/// The key that the compiler gives to the associated value of an enum's case. An enum that is read from a `@oneOf`
/// input object decodes `{ id: 5 }` as `{ id: { _0: 5 } }`.
private let associatedValueName = "_0"

extension CodingKey {
  /// Whether these are the keys of an enum's case with one value. A type of keys with any names is not.
  fileprivate static var isAssociatedValue: Bool {
    Self(stringValue: associatedValueName) != nil && Self(stringValue: "") == nil
  }
}

extension [InputField] {
  /// What names must be, as the error for longer ones states it.
  static var shortNames: String { "names of at most 256 bytes" }

  /// Whether the names can be hashed in a time that is proportional to their length. Clients choose them in the value
  /// of a custom scalar, and Swift takes quadratic time for texts with many combining marks.
  var haveShortNames: Bool {
    allSatisfy { $0.name.utf8.count <= 256 || $0.name.utf8.allSatisfy { $0 < 0x80 } }
  }
}
