/// A field of an object type with its resolver, and what a plan needs to know of both. Made once for a schema, so that
/// planning a field copies no definitions.
final class BoundField: Sendable {
  /// The call without arguments, of whose objects nothing is selected.
  let call: FieldCall
  /// The index in `SchemaIndex.fields`.
  let index: Int
  let hasArguments: Bool
  /// Whether the field returns objects.
  let isComposite: Bool
  /// Whether the field returns objects of an abstract type.
  let isAbstract: Bool
  /// The types of the objects that the field can return.
  let possibleTypes: [TypeID]
  /// Whether the field is a leaf without any weight, so that it never changes the cost of an operation.
  let isFree: Bool
  /// The columns that the resolver reads, as a bit mask.
  let columns: UInt64
  /// The encoding of the field's values. Nil for objects, lists, and custom scalars without a `ColumnFormat`.
  let format: ColumnFormat?
  /// The position of the field's name in `ExecutableSchema.fieldNames`.
  let namePosition: Int

  init(
    _ call: FieldCall,
    at index: Int,
    columns: [ColumnFormat],
    namePosition: Int,
    in schema: Schema,
    weights: SchemaWeights
  ) {
    self.call = call
    self.index = index
    hasArguments = !schema.index.fields[index].arguments.isEmpty
    let type = schema[call.type.type]
    isComposite = type.isComposite
    isAbstract = type.isAbstract
    possibleTypes = type.possibleTypes
    isFree =
      type.isLeaf && call.weights.field == 0 && !call.weights.dependOnArguments
      && weights.types[call.type.type.index] == 0
    self.columns = call.binding.needs.reduce(0) { $0 | 1 << UInt64($1) }
    format = Self.format(of: call, columns, in: schema)
    self.namePosition = namePosition
  }

  private static func format(of call: FieldCall, _ columns: [ColumnFormat], in schema: Schema) -> ColumnFormat? {
    guard call.type.nullable.isNamed else { return nil }
    if case .column(let column) = call.binding { return columns[column] }
    return schema[call.type.type].kind == .enum ? .text : schema.scalars[call.type.type.index]?.format
  }
}
