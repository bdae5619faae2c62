import Bytes
import JSON

/// Builds the `IntrospectionTable` of a schema.
struct IntrospectionTableBuilder: ~Copyable {
  private typealias Value = IntrospectionTable.Value
  private typealias Element = IntrospectionTable.Element
  /// The fields of an introspection type, and whether each is a leaf.
  private typealias Columns = [(field: IntrospectionField?, isLeaf: Bool)]

  private let schema: Schema
  private let typeColumns: Columns
  private let fieldColumns: Columns
  private let inputColumns: Columns
  private let enumValueColumns: Columns
  private let directiveColumns: Columns

  private var text = ByteBuffer(capacity: 4096)
  private var values = PlainBuffer<Value>()
  private var elements = PlainBuffer<Element>()
  /// The leaves that occur repeatedly, such as names, by their JSON.
  private var known: [String: Value] = [:]
  /// The numbers of the types with wrappers, which follow those of the named types.
  private var wrappedNumbers: [TypeReference: Int] = [:]

  init(_ schema: Schema) {
    self.schema = schema
    typeColumns = Self.columns(of: "__Type", in: schema)
    fieldColumns = Self.columns(of: "__Field", in: schema)
    inputColumns = Self.columns(of: "__InputValue", in: schema)
    enumValueColumns = Self.columns(of: "__EnumValue", in: schema)
    directiveColumns = Self.columns(of: "__Directive", in: schema)
    text.append("null")
  }

  private static func columns(of type: String, in schema: Schema) -> Columns {
    guard let type = schema.type(named: type) else { return [] }
    return schema[type].fields.map { field in
      (IntrospectionField(rawValue: field.name), !schema[field.type.type].isComposite)
    }
  }

  consuming func build() -> IntrospectionTable {
    numberWrappedTypes()
    values.extend(to: (schema.types.count + wrappedNumbers.count) * typeColumns.count, with: .null)
    for (index, type) in schema.types.enumerated() { fill(number: index, with: type) }
    for (type, number) in wrappedNumbers { fill(number: number, with: type) }
    let row = insertSchema()
    text.appendUnsafe(capacity: IntrospectionTable.padding) { _ in 0 }
    return IntrospectionTable(
      text,
      values: values,
      elements: elements,
      typeCount: schema.types.count + wrappedNumbers.count,
      valuesPerType: typeColumns.count,
      schemaRow: row,
      typeNames: schema.typeNames
    )
  }

  // MARK: Rows

  /// Stores the values of an object. Nil is `null`.
  private mutating func fill(
    _ row: Int,
    columns: Columns,
    _ value: (inout IntrospectionTableBuilder, IntrospectionField) -> Value?
  ) {
    for (index, column) in columns.enumerated() {
      let value = column.field.flatMap { field in value(&self, field) }
      values[row + index] = value ?? (column.isLeaf ? IntrospectionTable.nullText : .null)
    }
  }

  private mutating func insert(
    _ columns: Columns,
    isDeprecated: Bool = false,
    _ value: (inout IntrospectionTableBuilder, IntrospectionField) -> Value?
  ) -> Element {
    let row = values.count
    values.extend(to: row + columns.count, with: .null)
    fill(row, columns: columns, value)
    return Element(row: UInt32(row), isDeprecated: isDeprecated)
  }

  private mutating func insertSchema() -> Int {
    let element = insert(Self.columns(of: "__Schema", in: schema)) { (builder, field) in
      switch field {
      case .description: builder.string(builder.schema.description)
      case .types: builder.list(builder.schema.types.indices) { (builder, index) in builder.element(TypeID(index)) }
      case .queryType: builder.object(TypeReference(type: builder.schema.queryType))
      case .mutationType: builder.schema.mutationType.flatMap { builder.object(TypeReference(type: $0)) }
      case .subscriptionType: builder.schema.subscriptionType.flatMap { builder.object(TypeReference(type: $0)) }
      case .directives:
        builder.list(builder.schema.directives) { (builder, directive) in builder.insert(directive) }
      default: nil
      }
    }
    return Int(element.row)
  }

  private mutating func fill(number: Int, with type: TypeDefinition) {
    fill(number * typeColumns.count, columns: typeColumns) { (builder, field) in
      switch (field, type.kind) {
      case (.kind, _): builder.name(type.kind.rawValue)
      case (.name, _): builder.name(type.name)
      case (.description, _): builder.string(type.description)
      case (.specifiedByURL, .scalar): builder.string(type.specifiedByURL)
      case (.fields, .object), (.fields, .interface):
        builder.list(type.fields) { (builder, field) in builder.insert(field) }
      case (.interfaces, .object), (.interfaces, .interface):
        builder.list(type.interfaces) { (builder, type) in builder.element(type) }
      case (.possibleTypes, .interface), (.possibleTypes, .union):
        builder.list(type.possibleTypes) { (builder, type) in builder.element(type) }
      case (.enumValues, .enum): builder.list(type.enumValues) { (builder, value) in builder.insert(value) }
      case (.inputFields, .inputObject): builder.list(type.inputFields) { (builder, value) in builder.insert(value) }
      case (.isOneOf, .inputObject): builder.boolean(type.isOneOf)
      default: nil
      }
    }
  }

  private mutating func fill(number: Int, with type: TypeReference) {
    fill(number * typeColumns.count, columns: typeColumns) { (builder, field) in
      switch field {
      case .kind: builder.name(type.isNonNull ? "NON_NULL" : "LIST")
      case .ofType: builder.object(type.isNonNull ? type.nullable : type.item)
      default: nil
      }
    }
  }

  private mutating func insert(_ definition: FieldDefinition) -> Element {
    insert(fieldColumns, isDeprecated: definition.deprecationReason != nil) { (builder, field) in
      switch field {
      case .name: builder.name(definition.name)
      case .description: builder.string(definition.description)
      case .args: builder.list(definition.arguments) { (builder, argument) in builder.insert(argument) }
      case .type: builder.object(definition.type)
      case .isDeprecated: builder.boolean(definition.deprecationReason != nil)
      case .deprecationReason: builder.string(definition.deprecationReason)
      default: nil
      }
    }
  }

  private mutating func insert(_ definition: InputValueDefinition) -> Element {
    insert(inputColumns, isDeprecated: definition.deprecationReason != nil) { (builder, field) in
      switch field {
      case .name: builder.name(definition.name)
      case .description: builder.string(definition.description)
      case .type: builder.object(definition.type)
      case .defaultValue: builder.string(definition.defaultLiteral)
      case .isDeprecated: builder.boolean(definition.deprecationReason != nil)
      case .deprecationReason: builder.string(definition.deprecationReason)
      default: nil
      }
    }
  }

  private mutating func insert(_ value: EnumValueDefinition) -> Element {
    insert(enumValueColumns, isDeprecated: value.deprecationReason != nil) { (builder, field) in
      switch field {
      case .name: builder.name(value.name)
      case .description: builder.string(value.description)
      case .isDeprecated: builder.boolean(value.deprecationReason != nil)
      case .deprecationReason: builder.string(value.deprecationReason)
      default: nil
      }
    }
  }

  private mutating func insert(_ directive: DirectiveDefinition) -> Element {
    insert(directiveColumns) { (builder, field) in
      switch field {
      case .name: builder.name(directive.name)
      case .description: builder.string(directive.description)
      case .isRepeatable: builder.boolean(directive.isRepeatable)
      case .locations:
        builder.known("[" + directive.locations.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]")
      case .args: builder.list(directive.arguments) { (builder, argument) in builder.insert(argument) }
      default: nil
      }
    }
  }

  // MARK: Types

  /// Numbers the types with wrappers that the definitions reference, and the types that they wrap.
  private mutating func numberWrappedTypes() {
    for type in schema.types {
      for field in type.fields {
        number(field.type)
        for argument in field.arguments { number(argument.type) }
      }
      for input in type.inputFields { number(input.type) }
    }
    for directive in schema.directives {
      for argument in directive.arguments { number(argument.type) }
    }
  }

  private mutating func number(_ type: TypeReference) {
    guard !type.isNamed, wrappedNumbers[type] == nil else { return }
    wrappedNumbers[type] = schema.types.count + wrappedNumbers.count
    number(type.isNonNull ? type.nullable : type.item)
  }

  private func element(_ type: TypeID) -> Element {
    Element(row: UInt32(type.index * typeColumns.count), isDeprecated: false)
  }

  private func object(_ type: TypeReference) -> Value? {
    guard let number = type.isNamed ? type.type.index : wrappedNumbers[type] else { return nil }
    return Value(start: UInt32(number * typeColumns.count), length: UInt32(number))
  }

  // MARK: Values

  private mutating func list<Item>(
    _ items: some Collection<Item>,
    _ element: (inout IntrospectionTableBuilder, Item) -> Element
  ) -> Value {
    // An item can insert lists of its own, and the elements of a list must be adjacent.
    let inserted = items.map { element(&self, $0) }
    let start = elements.count
    for element in inserted { elements.append(element) }
    return Value(start: UInt32(start), length: UInt32(inserted.count))
  }

  private mutating func string(_ string: String?) -> Value? {
    guard let string else { return nil }
    let start = text.count
    text.append(jsonString: string)
    return value(from: start)
  }

  private mutating func name(_ name: String) -> Value { known("\"\(name)\"") }

  private mutating func boolean(_ truth: Bool) -> Value { known(truth ? "true" : "false") }

  /// A leaf that occurs repeatedly, as JSON.
  private mutating func known(_ json: String) -> Value {
    if let value = known[json] { return value }
    let start = text.count
    text.append(json)
    let value = value(from: start)
    known[json] = value
    return value
  }

  private func value(from start: Int) -> Value {
    Value(start: UInt32(start), length: UInt32(text.count - start))
  }
}
