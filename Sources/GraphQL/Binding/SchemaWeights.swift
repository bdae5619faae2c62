/// What a schema's fields and types weigh: read from its `@cost` and `@listSize` directives, where it has them.
///
/// ```graphql
/// directive @cost(weight: String!)
///   on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
/// directive @listSize(
///   assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true
/// ) on FIELD_DEFINITION
/// ```
struct SchemaWeights: Sendable {
  /// By type of the schema. Composite types weigh 1 by default, leaves nothing.
  let types: [Double]
  /// By type, then by the field's place in its type.
  let fields: [[FieldWeights]]
  /// Whether anything weighs less than nothing, so that a part of an operation may cost more than the whole.
  let hasNegativeWeights: Bool
  /// By input object type: the fields of it that weigh anything where they are given.
  private let inputs: [TypeID: [String: Double]]

  init(_ schema: Schema) {
    types = schema.types.map { Self.weight($0.directives) ?? ($0.isComposite ? 1 : 0) }
    var inputs: [TypeID: [String: Double]] = [:]
    for (index, type) in schema.types.enumerated() {
      for field in type.inputFields {
        let weight = Self.weight(of: field, in: schema)
        if weight != 0 { inputs[TypeID(index), default: [:]][field.name] = weight }
      }
    }
    self.inputs = inputs
    fields = schema.types.map { type in
      type.fields.map { FieldWeights($0, in: schema, inputsWeigh: !inputs.isEmpty) }
    }
    hasNegativeWeights =
      types.contains { $0 < 0 } || inputs.values.contains { $0.values.contains { $0 < 0 } }
      || fields.joined().contains { $0.field < 0 || $0.arguments.contains { $0.own < 0 } }
  }

  /// What a value of an input type weighs by what is in it.
  func weight(in value: InputValue, of type: TypeID, _ schema: Schema) -> Double {
    switch value {
    case .list(let items): return items.reduce(0) { $0 + weight(in: $1, of: type, schema) }
    case .object(let given):
      let definition = schema[type]
      return given.reduce(0) { sum, field in
        guard let index = definition.inputFieldNames.index(of: field.name) else { return sum }
        return sum + (inputs[type]?[field.name] ?? 0)
          + weight(in: field.value, of: definition.inputFields[index].type.type, schema)
      }
    default: return 0
    }
  }

  static func weight(of input: InputValueDefinition, in schema: Schema) -> Double {
    weight(input.directives) ?? weight(schema[input.type.type].directives) ?? 0
  }

  static func weight(_ directives: [AppliedDirective]) -> Double? {
    directives.first { $0.name == "cost" }?.string("weight").flatMap(Double.init)
  }
}

/// What a field weighs, and how many objects it may give.
struct FieldWeights: Sendable {
  /// Of one resolution of the field, its arguments not counted. 1 by default where it gives objects, else nothing.
  let field: Double
  /// Of the arguments that may weigh something, where they are given.
  let arguments: [ArgumentWeight]
  let isList: Bool
  /// How many items are assumed where no slicing argument says it; 1 by default.
  let assumedSize: Double
  /// The arguments that say how many items are given at most: the largest counts.
  let slicingArguments: [String]
  /// The fields of what this gives that have the size, instead of this field: a connection's `nodes` and `edges`.
  let sizedFields: [String]
  /// Whether an operation can fail to give exactly one of the slicing arguments where it has to.
  let needsOneSlicingArgument: Bool
  /// Whether a slicing argument has a default value, which stands for the one that has to be given.
  let hasSlicingDefault: Bool

  var dependOnArguments: Bool { !arguments.isEmpty || !slicingArguments.isEmpty }

  /// `inputsWeigh` says whether any field of an input object does.
  init(_ definition: FieldDefinition, in schema: Schema, inputsWeigh: Bool) {
    field = SchemaWeights.weight(definition.directives) ?? (schema[definition.type.type].isComposite ? 1 : 0)
    isList = definition.type.isList
    arguments = definition.arguments.compactMap { argument in
      let type = argument.type.type
      let own = SchemaWeights.weight(of: argument, in: schema)
      guard own != 0 || (inputsWeigh && schema[type].kind == .inputObject) else { return nil }
      return ArgumentWeight(name: argument.name, own: own, type: type)
    }
    let listSize = definition.directives.first { $0.name == "listSize" }
    assumedSize = listSize?.value("assumedSize")?.int.map(Double.init) ?? 1
    slicingArguments = listSize?.value("slicingArguments")?.strings ?? []
    sizedFields = listSize?.value("sizedFields")?.strings ?? []
    let slicing = definition.arguments.filter { [slicingArguments] in slicingArguments.contains($0.name) }
    hasSlicingDefault = slicing.contains { !($0.defaultValue?.isNull ?? true) }
    let requiresOne =
      listSize?.value("requireOneSlicingArgument")?.boolean
      ?? schema.directives.first { $0.name == "listSize" }?.arguments
      .first { $0.name == "requireOneSlicingArgument" }?.defaultValue?.boolean ?? true
    needsOneSlicingArgument = requiresOne && (slicing.count > 1 || (slicing.count == 1 && !hasSlicingDefault))
  }

  /// How many items are given at most.
  func size(_ arguments: Arguments?) -> Double {
    let sizes = slicingArguments.compactMap { arguments?[$0]?.int }.map { Double(max($0, 0)) }
    return sizes.max() ?? assumedSize
  }
}

struct ArgumentWeight: Sendable {
  let name: String
  let own: Double
  let type: TypeID
}

extension AppliedDirective {
  /// An argument as it is written.
  fileprivate func value(_ name: String) -> InputValue? {
    guard let literal = arguments.first(where: { $0.name == name })?.literal,
      let document = try? Parser.parseValue(Source(literal))
    else { return nil }
    return document.untypedValue(1, variables: nil)
  }
}

extension InputValue {
  /// The strings of a list, or the one that stands for a list.
  fileprivate var strings: [String] { list?.compactMap(\.string) ?? string.map { [$0] } ?? [] }
}
