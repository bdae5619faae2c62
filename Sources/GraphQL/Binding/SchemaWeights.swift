/// The weights of a schema's fields and types for cost analysis, read from the directives `@cost` and `@listSize`.
///
/// ```graphql
/// directive @cost(weight: String!)
///   on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
/// directive @listSize(
///   assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true
/// ) on FIELD_DEFINITION
/// ```
struct SchemaWeights: Sendable {
  /// Indexed by type. The default is 1 for composite types and 0 for leaf types.
  let types: [Double]
  /// Indexed by type, then by field.
  let fields: [[FieldWeights]]
  /// Whether any weight is negative, in which case a part of an operation can cost more than the whole.
  let hasNegativeWeights: Bool
  /// The input fields that have a weight when they are provided, by input object type.
  private let inputs: [TypeID: [String: Double]]

  /// - Parameter listSize: The assumed size of lists for which no `@listSize` states it.
  init(_ schema: Schema, listSize: Int) {
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
      type.fields.map { FieldWeights($0, in: schema, inputsWeigh: !inputs.isEmpty, listSize: listSize) }
    }
    hasNegativeWeights =
      types.contains { $0 < 0 } || inputs.values.contains { $0.values.contains { $0 < 0 } }
      || fields.joined().contains { $0.field < 0 || $0.arguments.contains { $0.own < 0 } }
  }

  /// The sum of the weights of the input fields that are provided in a value of an input type, at any depth.
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

/// The weight of a field, and the assumed size of its list. A class, so that a copy retains one object and not four.
final class FieldWeights: Sendable {
  /// The weight of resolving the field once, without its arguments. The default is 1 for composite types and 0 for leaf
  /// types.
  let field: Double
  /// The arguments that have a weight when they are provided.
  let arguments: [ArgumentWeight]
  let isList: Bool
  /// The list size that is assumed if no slicing argument is provided.
  let assumedSize: Double
  /// The arguments that limit the list size. If several are provided, the largest counts.
  let slicingArguments: [String]
  /// The slicing arguments that replace the default values of the others when they are provided: those without a
  /// default value, if exactly one slicing argument can be provided.
  private let overridingArguments: [String]
  /// The fields of the returned object to which the list size applies instead of to this field, such as a connection's
  /// `nodes` and `edges`.
  let sizedFields: [String]
  /// Whether the field requires exactly one slicing argument, and an operation can violate that.
  let needsOneSlicingArgument: Bool
  /// Whether a slicing argument has a default value, which counts as the required slicing argument.
  let hasSlicingDefault: Bool

  var dependOnArguments: Bool { !arguments.isEmpty || !slicingArguments.isEmpty }

  /// - Parameters:
  ///   - inputsWeigh: Whether any field of an input object has a weight.
  ///   - defaultSize: The assumed list size if `@listSize` does not state it.
  init(_ definition: FieldDefinition, in schema: Schema, inputsWeigh: Bool, listSize defaultSize: Int) {
    field = SchemaWeights.weight(definition.directives) ?? (schema[definition.type.type].isComposite ? 1 : 0)
    isList = definition.type.isList
    arguments = definition.arguments.compactMap { argument in
      let type = argument.type.type
      let own = SchemaWeights.weight(of: argument, in: schema)
      guard own != 0 || (inputsWeigh && schema[type].kind == .inputObject) else { return nil }
      return ArgumentWeight(name: argument.name, own: own, type: type)
    }
    let listSize = definition.directives.first { $0.name == "listSize" }
    assumedSize = listSize?.value("assumedSize")?.int.map(Double.init) ?? Double(defaultSize)
    slicingArguments = listSize?.strings("slicingArguments") ?? []
    sizedFields = listSize?.strings("sizedFields") ?? []
    let slicing = definition.arguments.filter { [slicingArguments] in slicingArguments.contains($0.name) }
    hasSlicingDefault = slicing.contains { !($0.defaultValue?.isNull ?? true) }
    let requiresOne =
      listSize?.value("requireOneSlicingArgument")?.boolean
      ?? schema.directives.first { $0.name == "listSize" }?.arguments
      .first { $0.name == "requireOneSlicingArgument" }?.defaultValue?.boolean ?? true
    needsOneSlicingArgument = requiresOne && (slicing.count > 1 || (slicing.count == 1 && !hasSlicingDefault))
    overridingArguments =
      needsOneSlicingArgument && hasSlicingDefault
      ? slicing.filter { $0.defaultValue?.isNull ?? true }.map(\.name) : []
  }

  /// The maximum list size with these arguments.
  func size(_ arguments: Arguments?) -> Double {
    largest(of: overridingArguments, arguments) ?? largest(of: slicingArguments, arguments) ?? assumedSize
  }

  private func largest(of names: [String], _ arguments: Arguments?) -> Double? {
    names.compactMap { arguments?[$0]?.int }.max().map { Double(max($0, 0)) }
  }
}

struct ArgumentWeight: Sendable {
  let name: String
  let own: Double
  let type: TypeID
}

extension AppliedDirective {
  /// The literal value of an argument of the directive.
  fileprivate func value(_ name: String) -> InputValue? {
    guard let literal = arguments.first(where: { $0.name == name })?.literal,
      let document = try? Parser.parseValue(Source(literal))
    else { return nil }
    return document.untypedValue(1, variables: nil)
  }

  /// The strings of an argument whose type is a list, or its single string, which is coerced to a list.
  package func strings(_ name: String) -> [String] {
    let value = value(name)
    return value?.list?.compactMap(\.string) ?? value?.string.map { [$0] } ?? []
  }
}
