/// Builds the selection sets of the introspection fields in a valid document.
struct IntrospectionSelectionBuilder {
  private let schema: Schema
  private let document: Document
  private let fragments: Fragments
  private let conditions: [String: Bool]
  private let variables: VariableValues
  private let limits: PlanLimits
  private var fieldCount = 0
  private var visitsLeft: Int
  /// Whether an argument contains a variable, so that the result depends on variables.
  private(set) var dependsOnVariables = false
  /// Memoized selections by their fields. Without it, fragments that spread one another twice would double the work on
  /// every level.
  private var known: [NodeList: IntrospectionSelection] = [:]

  init(
    schema: Schema,
    document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    limits: PlanLimits
  ) {
    self.schema = schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
    self.variables = variables
    self.limits = limits
    visitsLeft = limits.visits
  }

  /// The merged selection of fields that return objects of type `type`.
  mutating func selection(
    of fields: NodeList,
    on type: TypeID,
    depth: Int
  ) throws(GraphQLError) -> IntrospectionSelection {
    if let selection = known[fields] { return selection }
    guard depth <= limits.depth else { throw .operationTooDeep(limits, at: document.location(fields[0])) }
    var collection = FieldCollection(schema: schema, document: document, fragments: fragments, conditions: conditions)
    let groups = try collection.collect(fields, for: type, limit: visitsLeft)
    visitsLeft -= collection.visits
    fieldCount += groups.count
    guard visitsLeft >= 0 && fieldCount <= limits.fields else {
      throw .tooManyFields(limits, at: document.location(fields[0]))
    }
    var selected: [IntrospectionSelection.Field] = []
    for group in collection.groups {
      selected.append(try field(document.name(group.key), nodes: group.nodes, of: type, depth: depth))
    }
    let selection = IntrospectionSelection(typename: Array("\"\(schema[type].name)\"".utf8), fields: selected)
    known[fields] = selection
    return selection
  }

  private mutating func field(
    _ key: String,
    nodes: NodeList,
    of type: TypeID,
    depth: Int
  ) throws(GraphQLError) -> IntrospectionSelection.Field {
    // A response key is a Name, which never needs escaping.
    let key = Array("\"\(key)\":".utf8)
    let name = document.name(nodes[0])
    if name == IntrospectionField.typename.rawValue {
      return IntrospectionSelection.Field(field: .typename, key: key, includesDeprecated: false, selection: nil)
    }
    guard let field = IntrospectionField(rawValue: name),
      let index = schema.types[type.index].fieldNames.index(of: nodes[0], in: document)
    else {
      throw .unknownField(name, of: schema[type], at: document.location(nodes[0]))
    }
    let definition = schema.types[type.index].fields[index]
    let arguments = try arguments(of: nodes[0], definition)
    let isComposite = schema[definition.type.type].isComposite
    return IntrospectionSelection.Field(
      field: field,
      key: key,
      includesDeprecated: arguments["includeDeprecated"]?.boolean ?? false,
      selection: try isComposite ? selection(of: nodes, on: definition.type.type, depth: depth + 1) : nil
    )
  }

  /// The coerced arguments of an introspection field.
  mutating func arguments(of node: NodeIndex, _ definition: FieldDefinition) throws(GraphQLError) -> Arguments {
    guard !definition.arguments.isEmpty else { return .none }
    for argument in document.children(of: node, .argument) {
      if let value = document.value(of: argument), document[value].kind == .variable { dependsOnVariables = true }
    }
    do throws(ArgumentError) {
      return try ArgumentCoercion.coerce(
        node,
        definitions: definition.arguments,
        in: LiteralCoercion(schema: schema, document: document, variables: variables)
      )
    } catch {
      throw GraphQLError(error.message, at: [document.location(node)], code: .badUserInput)
    }
  }
}
