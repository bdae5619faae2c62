import Bytes

/// The values of all introspection fields of a schema (specification, section 4.2). Leaves are stored as JSON, so that
/// a result is a sequence of copies: escaping the descriptions of 230 types for each document took most of the time of
/// an introspection query.
///
/// An introspection object is a row: the values of its fields, in the order in which its introspection type defines
/// them. It is identified by the index of its first value.
package final class IntrospectionTable: Sendable {
  /// What the numbers mean depends on the type of the field.
  struct Value: BitwiseCopyable, Sendable {
    /// The start in `text`, the start in `elements`, or the row of a `__Type`.
    var start: UInt32
    /// The number of bytes, the number of elements, or the number of the `__Type`: they are numbered from 0.
    var length: UInt32

    /// `null` for lists and objects. Leaves have the text `null`.
    static let null = Value(start: .max, length: 0)
    var isNull: Bool { start == .max }
  }

  /// An element of a list.
  struct Element: BitwiseCopyable, Sendable {
    var row: UInt32
    var isDeprecated: Bool
  }

  /// The text `null`, with which `text` begins.
  static let nullText = Value(start: 0, length: 4)
  /// The number of bytes that can be read beyond each leaf of `text`.
  static let padding = 32

  let text: ByteBuffer
  let values: PlainBuffer<Value>
  let elements: PlainBuffer<Element>
  /// The number of types, those with wrappers included.
  let typeCount: Int
  private let valuesPerType: Int
  /// The `__Schema`.
  let schemaRow: Int
  /// The definitions of the fields that the query root operation type has implicitly (specification, section 4.1).
  package let schemaField: FieldDefinition?
  package let typeField: FieldDefinition?

  init(
    _ text: consuming ByteBuffer,
    values: consuming PlainBuffer<Value>,
    elements: consuming PlainBuffer<Element>,
    typeCount: Int,
    valuesPerType: Int,
    schemaRow: Int,
    typeNames: NameTable
  ) {
    self.text = text
    self.values = values
    self.elements = elements
    self.typeCount = typeCount
    self.valuesPerType = valuesPerType
    self.schemaRow = schemaRow
    schemaField = .schema(typeNames)
    typeField = .type(typeNames)
  }

  /// The definition of `__schema` or `__type`.
  func field(named name: String) -> FieldDefinition? { name == "__schema" ? schemaField : typeField }

  func row(of type: TypeID) -> Int { type.index * valuesPerType }
}
