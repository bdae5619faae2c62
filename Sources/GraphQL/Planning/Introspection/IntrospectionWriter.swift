import Bytes
import JSON

/// Writes the results of introspection fields as JSON (specification, section 4).
struct IntrospectionWriter: ~Copyable {
  /// The result exceeds the size that the caller allows.
  struct Overflow: Error {}

  private let schema: Schema
  /// The size grows exponentially with the depth of nested type lists, so it is bounded.
  private let maximumBytes: Int
  private var output = ByteBuffer(capacity: 4096)

  /// Returns the JSON that `body` writes.
  static func write(
    _ schema: Schema,
    maximumBytes: Int,
    _ body: (inout IntrospectionWriter) throws(Overflow) -> Void
  ) throws(Overflow) -> [UInt8] {
    var writer = IntrospectionWriter(schema: schema, maximumBytes: maximumBytes)
    try body(&writer)
    return writer.output.array()
  }

  private init(schema: Schema, maximumBytes: Int) {
    self.schema = schema
    self.maximumBytes = maximumBytes
  }

  // MARK: __Schema

  mutating func writeSchema(_ selection: IntrospectionSelection) throws(Overflow) {
    try writeObject(selection) { (writer, field, nested) throws(Overflow) in
      switch field.field {
      case .description: writer.write(writer.schema.description)
      case .types:
        try writer.writeList(writer.schema.types.indices) { (writer, index) throws(Overflow) in
          try writer.writeType(TypeReference(type: TypeID(index)), selection: nested)
        }
      case .queryType: try writer.writeType(TypeReference(type: writer.schema.queryType), selection: nested)
      case .mutationType:
        try writer.writeType(writer.schema.mutationType.map { TypeReference(type: $0) }, selection: nested)
      case .subscriptionType:
        try writer.writeType(writer.schema.subscriptionType.map { TypeReference(type: $0) }, selection: nested)
      case .directives:
        try writer.writeList(writer.schema.directives) { (writer, directive) throws(Overflow) in
          try writer.write(directive, selection: nested)
        }
      default: writer.output.append("null")
      }
    }
  }

  // MARK: __Type

  /// Writes nil as `null`.
  mutating func writeType(_ reference: TypeReference?, selection: IntrospectionSelection) throws(Overflow) {
    guard let reference else { return output.append("null") }
    if reference.isNamed {
      try write(reference.type, selection: selection)
    } else {
      try writeWrapper(reference, selection: selection)
    }
  }

  private mutating func writeWrapper(
    _ reference: TypeReference,
    selection: IntrospectionSelection
  ) throws(Overflow) {
    try writeObject(selection) { (writer, field, nested) throws(Overflow) in
      switch field.field {
      case .kind: writer.output.append(reference.isNonNull ? "\"NON_NULL\"" : "\"LIST\"")
      case .ofType: try writer.writeType(reference.isNonNull ? reference.nullable : reference.item, selection: nested)
      default: writer.output.append("null")
      }
    }
  }

  /// Most types are selected as types of fields, with their kind and name only. The other properties of a definition
  /// are accessed only if they are selected, because copying a definition retains a dozen buffers.
  private mutating func write(_ id: TypeID, selection: IntrospectionSelection) throws(Overflow) {
    let index = id.index
    let kind = schema.types[index].kind
    try writeObject(selection) { (writer, field, nested) throws(Overflow) in
      switch (field.field, kind) {
      case (.kind, _): writer.write(name: kind.rawValue)
      case (.name, _): writer.write(name: writer.schema.types[index].name)
      case (.description, _): writer.write(writer.schema.types[index].description)
      case (.specifiedByURL, .scalar): writer.write(writer.schema.types[index].specifiedByURL)
      case (.fields, .object), (.fields, .interface):
        let fields = writer.schema.types[index].fields
        try writer.writeList(fields, where: { field.includesDeprecated || $0.deprecationReason == nil }) {
          (writer, field) throws(Overflow) in try writer.write(field, selection: nested)
        }
      case (.interfaces, .object), (.interfaces, .interface):
        try writer.writeTypes(writer.schema.types[index].interfaces, selection: nested)
      case (.possibleTypes, .interface), (.possibleTypes, .union):
        try writer.writeTypes(writer.schema.types[index].possibleTypes, selection: nested)
      case (.enumValues, .enum):
        let values = writer.schema.types[index].enumValues
        try writer.writeList(values, where: { field.includesDeprecated || $0.deprecationReason == nil }) {
          (writer, value) throws(Overflow) in try writer.write(value, selection: nested)
        }
      case (.inputFields, .inputObject):
        try writer.writeInputValues(writer.schema.types[index].inputFields, field: field, selection: nested)
      case (.isOneOf, .inputObject): writer.write(writer.schema.types[index].isOneOf)
      default: writer.output.append("null")
      }
    }
  }

  private mutating func writeTypes(_ types: [TypeID], selection: IntrospectionSelection) throws(Overflow) {
    try writeList(types) { (writer, type) throws(Overflow) in
      try writer.writeType(TypeReference(type: type), selection: selection)
    }
  }

  // MARK: __Field, __InputValue, __EnumValue, __Directive

  private mutating func write(_ definition: FieldDefinition, selection: IntrospectionSelection) throws(Overflow) {
    try writeObject(selection) { (writer, field, nested) throws(Overflow) in
      switch field.field {
      case .name: writer.write(name: definition.name)
      case .description: writer.write(definition.description)
      case .args: try writer.writeInputValues(definition.arguments, field: field, selection: nested)
      case .type: try writer.writeType(definition.type, selection: nested)
      case .isDeprecated: writer.write(definition.deprecationReason != nil)
      case .deprecationReason: writer.write(definition.deprecationReason)
      default: writer.output.append("null")
      }
    }
  }

  private mutating func writeInputValues(
    _ values: [InputValueDefinition],
    field: IntrospectionSelection.Field,
    selection: IntrospectionSelection
  ) throws(Overflow) {
    try writeList(values, where: { field.includesDeprecated || $0.deprecationReason == nil }) {
      (writer, value) throws(Overflow) in try writer.write(value, selection: selection)
    }
  }

  private mutating func write(
    _ definition: InputValueDefinition,
    selection: IntrospectionSelection
  ) throws(Overflow) {
    try writeObject(selection) { (writer, field, nested) throws(Overflow) in
      switch field.field {
      case .name: writer.write(name: definition.name)
      case .description: writer.write(definition.description)
      case .type: try writer.writeType(definition.type, selection: nested)
      case .defaultValue: writer.write(definition.defaultLiteral)
      case .isDeprecated: writer.write(definition.deprecationReason != nil)
      case .deprecationReason: writer.write(definition.deprecationReason)
      default: writer.output.append("null")
      }
    }
  }

  private mutating func write(_ value: EnumValueDefinition, selection: IntrospectionSelection) throws(Overflow) {
    try writeObject(selection) { (writer, field, _) throws(Overflow) in
      switch field.field {
      case .name: writer.write(name: value.name)
      case .description: writer.write(value.description)
      case .isDeprecated: writer.write(value.deprecationReason != nil)
      case .deprecationReason: writer.write(value.deprecationReason)
      default: writer.output.append("null")
      }
    }
  }

  private mutating func write(_ directive: DirectiveDefinition, selection: IntrospectionSelection) throws(Overflow) {
    try writeObject(selection) { (writer, field, nested) throws(Overflow) in
      switch field.field {
      case .name: writer.write(name: directive.name)
      case .description: writer.write(directive.description)
      case .isRepeatable: writer.write(directive.isRepeatable)
      case .locations:
        try writer.writeList(directive.locations) { (writer, location) throws(Overflow) in
          writer.write(name: location.rawValue)
        }
      case .args: try writer.writeInputValues(directive.arguments, field: field, selection: nested)
      default: writer.output.append("null")
      }
    }
  }

  // MARK: JSON

  private static let noSelection = IntrospectionSelection(typename: [], fields: [])

  /// Writes an object. `value` writes the value of each field except `__typename`, with the selection of the field.
  @inline(__always)
  private mutating func writeObject(
    _ selection: IntrospectionSelection,
    _ value: (inout IntrospectionWriter, IntrospectionSelection.Field, IntrospectionSelection) throws(Overflow) -> Void
  ) throws(Overflow) {
    guard output.count < maximumBytes else { throw Overflow() }
    output.append("{")
    var isFirst = true
    for field in selection.fields {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.append(field.key)
      if field.field == .typename {
        output.append(selection.typename)
      } else {
        try value(&self, field, field.selection ?? Self.noSelection)
      }
    }
    output.append("}")
  }

  @inline(__always)
  private mutating func writeList<Element>(
    _ elements: some Sequence<Element>,
    where isIncluded: (Element) -> Bool = { _ in true },
    _ element: (inout IntrospectionWriter, Element) throws(Overflow) -> Void
  ) throws(Overflow) {
    output.append("[")
    var isFirst = true
    for item in elements where isIncluded(item) {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      try element(&self, item)
    }
    output.append("]")
  }

  private mutating func write(_ text: String?) {
    if let text { output.append(jsonString: text) } else { output.append("null") }
  }

  /// Writes a Name, which never needs escaping.
  private mutating func write(name: String) {
    output.append(UInt8(ascii: "\""))
    output.append(name)
    output.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ truth: Bool) {
    if truth { output.append("true") } else { output.append("false") }
  }
}
