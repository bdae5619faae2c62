import Bytes

/// Builds the selection sets of the introspection fields in a valid document.
struct IntrospectionSelectionBuilder: ~Copyable {
  private let schema: Schema
  private let document: Document
  private let variables: VariableValues
  private let limits: PlanLimits
  private var fieldCount = 0
  /// Whether an argument contains a variable, so that the result depends on variables.
  private(set) var dependsOnVariables = false
  private var collection: FieldCollection
  private var selections = IntrospectionSelections()
  /// Memoized selection sets by the fields whose sets they are. Without it, fragments that spread one another twice
  /// would double the work on every level.
  private var known: [NodeList: Int] = [:]
  /// The same by the nodes of their own fields, since one fragment is often spread in several places. The writer can
  /// then copy an object that it has written for one of them.
  private var knownByFields: [[NodeIndex]: Int] = [:]
  /// The errors of fields whose arguments cannot be coerced, by the first node of each. Nil if the first such error is
  /// thrown.
  private var failures: [NodeIndex: ArgumentError]?
  /// The fields of each selection set. Empty if errors are thrown.
  private(set) var partialSets: [[PartialIntrospection.Field]] = []

  /// - Parameter keepsFailures: Whether the errors of nested fields are kept in `partialSets` instead of being thrown.
  init(
    schema: Schema,
    document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    limits: PlanLimits,
    keepsFailures: Bool
  ) {
    self.schema = schema
    self.document = document
    self.variables = variables
    self.limits = limits
    failures = keepsFailures ? [:] : nil
    collection = FieldCollection(schema: schema, document: document, fragments: fragments, conditions: conditions)
    known.reserveCapacity(24)
  }

  consuming func finish() -> IntrospectionSelections {
    selections.finish()
    return selections
  }

  /// The index of the merged selection set of fields that return objects of type `type`.
  mutating func selection(of fields: NodeList, on type: TypeID, depth: Int) throws(GraphQLError) -> Int {
    if let set = known[fields] { return try require(set, at: depth, of: fields) }
    guard depth <= limits.depth else { throw .operationTooDeep(limits, at: document.location(fields[0])) }
    let groups = try collect(fields, on: type)
    defer { collection.removeGroups(from: groups.lowerBound) }
    let fieldNodes = nodesOfFragments(groups, spreadIn: fields)
    if !fieldNodes.isEmpty, let set = knownByFields[fieldNodes] {
      known[fields] = set
      return try require(set, at: depth, of: fields)
    }
    var selected: [IntrospectionSelections.Field] = []
    selected.reserveCapacity(groups.count)
    for group in groups { selected.append(try field(collection.groups[group], of: type, depth: depth)) }
    let set = selections.append(selected)
    if failures != nil { keep(selected, of: groups, on: type) }
    known[fields] = set
    if !fieldNodes.isEmpty { knownByFields[fieldNodes] = set }
    return set
  }

  /// Keeps the fields of a selection set with their errors.
  ///
  /// This is not a part of `selection(of:on:depth:)` because that function recurses, and needs a small stack frame.
  private mutating func keep(_ selected: [IntrospectionSelections.Field], of groups: Range<Int>, on type: TypeID) {
    var kept: [PartialIntrospection.Field] = []
    for (group, field) in zip(groups, selected) {
      let nodes = collection.groups[group].nodes
      let index = schema.types[type.index].fieldNames.index(of: nodes[0], in: document)
      kept.append(
        PartialIntrospection.Field(
          selected: field,
          nodes: nodes,
          type: index.map { schema.types[type.index].fields[$0].type } ?? TypeReference(type: type),
          failure: failures?[nodes[0]]
        )
      )
    }
    partialSets.append(kept)
  }

  /// The nodes of the fields of a selection set, group after group. Empty if the first one is in the set itself: no
  /// other set has the same fields.
  private func nodesOfFragments(_ groups: Range<Int>, spreadIn fields: NodeList) -> [NodeIndex] {
    guard let group = groups.first, let set = document.firstChild(of: fields[0], .selectionSet) else { return [] }
    let first = collection.groups[group].nodes[0]
    guard first < set || first >= Int(document.nodes[set].subtreeEnd) else { return [] }
    var nodes: [NodeIndex] = []
    nodes.reserveCapacity(groups.count * 2)
    for group in groups {
      nodes += collection.groups[group].nodes
      nodes.append(-1)
    }
    return nodes
  }

  /// Fails if a selection set that was built at a lower depth is too deep here.
  private func require(_ set: Int, at depth: Int, of fields: NodeList) throws(GraphQLError) -> Int {
    guard depth + selections.sets[set].height - 1 <= limits.depth else {
      throw .operationTooDeep(limits, at: document.location(fields[0]))
    }
    return set
  }

  /// This is not a part of `selection(of:on:depth:)` because that function recurses, and needs a small stack frame.
  private mutating func collect(_ fields: NodeList, on type: TypeID) throws(GraphQLError) -> Range<Int> {
    let groups = try collection.collect(fields, for: type, limit: limits.visits)
    fieldCount += groups.count
    guard collection.visits <= limits.visits && fieldCount <= limits.fields else {
      throw .tooManyFields(limits, at: document.location(fields[0]))
    }
    return groups
  }

  private mutating func field(
    _ group: FieldCollection.Group,
    of type: TypeID,
    depth: Int
  ) throws(GraphQLError) -> IntrospectionSelections.Field {
    let node = group.nodes[0]
    guard let index = schema.types[type.index].fieldNames.index(of: node, in: document) else {
      let name = document.name(node)
      guard name == "__typename" else { throw .unknownField(name, of: schema[type], at: document.location(node)) }
      return IntrospectionSelections.Field(
        responseKey: document.name(group.key),
        step: nil,
        constant: "\"\(schema.types[type.index].name)\""
      )
    }
    guard let includesDeprecated = try includesDeprecated(node, of: type, field: index) else {
      return IntrospectionSelections.Field(responseKey: document.name(group.key), step: nil, constant: "null")
    }
    let result = schema.types[type.index].fields[index].type
    let isComposite = schema.index.types[result.type.index].isComposite
    let step = IntrospectionSelections.Step(
      kind: !isComposite ? .leaf : result.nullable.isList ? .list : .object,
      includesDeprecated: includesDeprecated,
      column: Int32(index),
      set: isComposite ? Int32(try selection(of: group.nodes, on: result.type, depth: depth + 1)) : 0
    )
    return IntrospectionSelections.Field(
      responseKey: document.name(group.key),
      step: step,
      constant: Self.valueUnlessDeprecated(schema.types[type.index].fields[index].name)
    )
  }

  /// The value of a field in objects that are not deprecated, if it is the same in all of them.
  private static func valueUnlessDeprecated(_ field: String) -> String? {
    switch field {
    case IntrospectionField.isDeprecated.rawValue: "false"
    case IntrospectionField.deprecationReason.rawValue: "null"
    default: nil
    }
  }

  /// Nil if the arguments of the field cannot be coerced, and the error is kept.
  private mutating func includesDeprecated(
    _ node: NodeIndex,
    of type: TypeID,
    field: Int
  ) throws(GraphQLError) -> Bool? {
    // Most fields have no arguments. Their definitions are not copied, which would retain each of their members.
    guard !schema.types[type.index].fields[field].arguments.isEmpty else { return false }
    do throws(ArgumentError) {
      let arguments = try coercedArguments(of: node, schema.types[type.index].fields[field])
      return arguments["includeDeprecated"]?.boolean ?? false
    } catch {
      guard failures != nil else { throw graphQLError(error, at: node) }
      failures?[node] = error
      return nil
    }
  }

  /// The coerced arguments of an introspection field.
  mutating func arguments(of node: NodeIndex, _ definition: FieldDefinition) throws(GraphQLError) -> Arguments {
    do throws(ArgumentError) {
      return try coercedArguments(of: node, definition)
    } catch {
      throw graphQLError(error, at: node)
    }
  }

  private func graphQLError(_ error: ArgumentError, at node: NodeIndex) -> GraphQLError {
    GraphQLError(error.message, at: [document.location(node)], code: .badUserInput)
  }

  private mutating func coercedArguments(
    of node: NodeIndex,
    _ definition: FieldDefinition
  ) throws(ArgumentError) -> Arguments {
    guard !definition.arguments.isEmpty else { return .none }
    for argument in document.children(of: node, .argument) {
      if let value = document.value(of: argument), document[value].kind == .variable { dependsOnVariables = true }
    }
    return try ArgumentCoercion.coerce(
      node,
      definitions: definition.arguments,
      in: LiteralCoercion(schema: schema, document: document, variables: variables)
    )
  }
}
