/// A field of an object type with its resolver, and what plans and their execution need to know of both. Made once for
/// a schema, so that a plan copies no definitions.
final class BoundField: Sendable {
  /// The index in `SchemaIndex.fields`.
  let index: Int
  let parentType: TypeID
  let name: String
  let type: TypeReference
  let binding: FieldBinding
  let weights: FieldWeights
  /// `Type.field`.
  let coordinate: String
  let hasArguments: Bool
  /// Whether the field returns objects.
  let isComposite: Bool
  /// Whether the field returns objects of an abstract type.
  let isAbstract: Bool
  /// The types of the objects that the field can return.
  let possibleTypes: [TypeID]
  /// Whether the resolver is asynchronous.
  let isAsync: Bool
  /// Whether the field is a leaf without any weight, so that it never changes the cost of an operation.
  let isFree: Bool
  /// The columns that the resolver reads, as a bit mask.
  let columns: UInt64
  /// The encoding of the field's values. Nil for objects, lists, and custom scalars without a `ColumnFormat`.
  let format: ColumnFormat?
  /// The position of the field's name in `fieldNames`. Nil for meta-fields.
  let namePosition: Int?
  /// The names of all fields of the schema, each once.
  let fieldNames: [String]

  init(
    _ definition: FieldDefinition,
    at index: Int,
    of parentType: TypeID,
    in schema: Schema,
    binding: FieldBinding,
    columns: [ColumnFormat],
    weights: FieldWeights,
    typeWeight: Double,
    fieldNames: [String],
    namePosition: Int?
  ) {
    self.index = index
    self.parentType = parentType
    name = definition.name
    type = definition.type
    self.binding = binding
    self.weights = weights
    coordinate = "\(schema[parentType].name).\(definition.name)"
    hasArguments = !definition.arguments.isEmpty
    let type = schema[definition.type.type]
    isComposite = type.isComposite
    isAbstract = type.isAbstract
    possibleTypes = type.possibleTypes
    isAsync = binding.isAsync
    isFree = type.isLeaf && weights.field == 0 && !weights.dependOnArguments && typeWeight == 0
    self.columns = binding.needs.reduce(0) { $0 | 1 << UInt64($1) }
    format = Self.format(of: definition.type, binding, columns: columns, in: schema)
    self.fieldNames = fieldNames
    self.namePosition = namePosition
  }

  private static func format(
    of type: TypeReference,
    _ binding: FieldBinding,
    columns: [ColumnFormat],
    in schema: Schema
  ) -> ColumnFormat? {
    guard type.nullable.isNamed else { return nil }
    if case .column(let column) = binding { return columns[column] }
    return schema[type.type].kind == .enum ? .text : schema.scalars[type.type.index]?.format
  }
}
