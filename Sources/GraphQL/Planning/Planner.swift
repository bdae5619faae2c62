import Bytes
import JSON

/// Works out an operation of a valid document against the schema.
struct Planner {
  private let executable: ExecutableSchema
  private let schema: Schema
  private let document: Document
  private let fragments: Fragments
  private let conditions: [String: Bool]
  private let variables: VariableValues
  private let limits: PlanLimits

  private var sets: [SelectionSetPlan?] = []
  private var fields: [FieldPlan] = []
  private var operations: [WriteOperation] = []
  private var keyBytes: [UInt8] = []
  private var enumerations: [[[UInt8]]] = []
  private var columns: [UInt64]
  private var runCount = 0
  private var leafCount = 0
  private var dependsOnVariables = false
  /// Sets by what they come from: the same nodes on the same type at the same depth are one set, whichever of several
  /// parent types leads there. Without it a document that nests abstract types would grow with the power of its depth.
  private var known: [SetIdentity: Int] = [:]

  private struct SetIdentity: Hashable {
    let nodes: [NodeIndex]
    let type: TypeID
    let depth: Int
  }

  static func plan(
    _ operation: NodeIndex, of document: Document, fragments: Fragments, conditions: [String: Bool],
    variables: VariableValues, against executable: ExecutableSchema, limits: PlanLimits
  ) throws(GraphQLError) -> OperationPlan {
    var planner = Planner(
      executable: executable, document: document, fragments: fragments, conditions: conditions, variables: variables,
      limits: limits)
    let type = OperationType(document[operation].flags)
    guard let root = executable.schema.rootType(type), let set = document.firstChild(of: operation, .selectionSet)
    else {
      throw GraphQLError(
        "Schema is not configured to execute \(type.rawValue) operation.", at: [document.location(operation)],
        code: .validationFailed)
    }
    _ = try planner.set(of: [set], on: root, depth: 1)
    return OperationPlan(
      schema: executable.schema, operationType: type, sets: planner.sets.compactMap { $0 }, fields: planner.fields,
      operations: planner.operations, keyBytes: planner.keyBytes, enumerations: planner.enumerations,
      columns: planner.columns, runCount: planner.runCount, leafCount: planner.leafCount,
      dependsOnVariables: planner.dependsOnVariables)
  }

  private init(
    executable: ExecutableSchema, document: Document, fragments: Fragments, conditions: [String: Bool],
    variables: VariableValues, limits: PlanLimits
  ) {
    self.executable = executable
    schema = executable.schema
    self.document = document
    self.fragments = fragments
    self.conditions = conditions
    self.variables = variables
    self.limits = limits
    columns = Array(repeating: 0, count: executable.schema.types.count)
  }

  private mutating func set(of nodes: [NodeIndex], on type: TypeID, depth: Int) throws(GraphQLError) -> Int {
    let identity = SetIdentity(nodes: nodes, type: type, depth: depth)
    if let place = known[identity] { return place }
    guard depth <= limits.depth else {
      throw .operationTooDeep(limits, at: document.location(nodes[0]))
    }
    let place = sets.count
    known[identity] = place
    sets.append(nil)

    var collection = FieldCollection(
      schema: schema, document: document, fragments: fragments, conditions: conditions)
    collection.collect(nodes, for: type)
    var own: [WriteOperation] = []
    var composite: [Int] = []
    var computed: [Int] = []
    for group in collection.groups {
      let operation = try field(group.responseKey, group.nodes, of: type, isFirst: own.isEmpty, depth: depth)
      own.append(operation)
      if operation.kind == .objects {
        composite.append(Int(operation.field))
      } else if operation.isComputed {
        computed.append(Int(operation.field))
      }
    }
    let start = operations.count
    operations += own
    sets[place] = SelectionSetPlan(
      type: type, operations: start..<operations.count, compositeFields: composite, computedFields: computed)
    return place
  }

  private mutating func field(
    _ responseKey: String, _ nodes: [NodeIndex], of type: TypeID, isFirst: Bool, depth: Int
  ) throws(GraphQLError) -> WriteOperation {
    guard fields.count < limits.fields else {
      throw .tooManyFields(limits, at: document.location(nodes[0]))
    }
    let name = document.name(nodes[0])
    if name == "__typename" {
      return constant(
        "\"\(schema[type].name)\"".utf8, responseKey, nodes, of: type, isFirst: isFirst, name: name)
    }
    if type == schema.queryType && IntrospectionAnswer.isAskedFor(by: name) {
      let answer = try IntrospectionAnswer(
        to: nodes, of: document, fragments: fragments, conditions: conditions, variables: variables, against: schema,
        limits: limits, maximumBytes: limits.introspectionBytes - keyBytes.count)
      dependsOnVariables = dependsOnVariables || answer.dependsOnVariables
      return constant(answer.bytes, responseKey, nodes, of: type, isFirst: isFirst, name: name)
    }
    guard let index = schema[type].fieldNames.place(of: nodes[0], in: document) else {
      throw .unknownField(name, of: schema[type], at: document.location(nodes[0]))
    }
    let definition = schema[type].fields[index]
    let binding = executable.bindings[type.index][index]
    for column in binding.needs { columns[type.index] |= 1 << UInt64(column) }
    let isComposite = schema[definition.type.type].isComposite
    let arguments = try arguments(of: nodes[0], definition)
    let children = try isComposite ? childSets(nodes, definition.type.type, depth: depth) : ([], [])
    let slot: Int
    var isComputed = false
    if isComposite {
      slot = runCount
      runCount += 1
    } else if case .column(let column) = binding {
      slot = column
    } else {
      slot = leafCount
      leafCount += 1
      isComputed = true
    }
    let (kind, extra) = writing(of: definition, binding, on: type)
    let key = appendKey(responseKey, isFirst: isFirst)
    fields.append(
      FieldPlan(
        responseKey: responseKey, parentType: type, name: name, type: definition.type,
        locations: nodes.map { document.location($0) }, arguments: arguments, binding: binding, slot: slot,
        sets: children.0, selected: children.1, coordinate: "\(schema[type].name).\(name)"))
    return WriteOperation(
      kind: kind, isComputed: isComputed, isNullable: !definition.type.isNonNull, place: Int32(slot),
      keyStart: Int32(key.lowerBound), keyLength: Int32(key.count), field: Int32(fields.count - 1),
      extra: Int32(extra), extraLength: 0)
  }

  /// The sets of what a field gives, for every object type that it may be.
  private mutating func childSets(
    _ nodes: [NodeIndex], _ type: TypeID, depth: Int
  ) throws(GraphQLError) -> ([Int32], Set<String>) {
    let selectionSets = nodes.compactMap { document.firstChild(of: $0, .selectionSet) }
    var children = [Int32](repeating: -1, count: schema.types.count)
    var selected: Set<String> = []
    for possible in schema[type].possibleTypes {
      let place = try set(of: selectionSets, on: possible, depth: depth + 1)
      children[possible.index] = Int32(place)
      for operation in (sets[place]?.operations).map({ operations[$0] }) ?? [] {
        selected.insert(fields[Int(operation.field)].name)
      }
    }
    return (children, selected)
  }

  private mutating func constant(
    _ json: some Sequence<UInt8>, _ responseKey: String, _ nodes: [NodeIndex], of type: TypeID, isFirst: Bool, name: String
  ) -> WriteOperation {
    let key = appendKey(responseKey, isFirst: isFirst)
    let start = keyBytes.count
    keyBytes += json
    fields.append(
      FieldPlan(
        responseKey: responseKey, parentType: type, name: name, type: TypeReference(type: type),
        locations: nodes.map { document.location($0) }, arguments: .constant(.none), binding: .column(0), slot: 0,
        sets: [], selected: [], coordinate: "\(schema[type].name).\(name)"))
    return WriteOperation(
      kind: .constant, isComputed: false, isNullable: false, place: 0, keyStart: Int32(key.lowerBound),
      keyLength: Int32(key.count), field: Int32(fields.count - 1), extra: Int32(start),
      extraLength: Int32(keyBytes.count - start))
  }

  private mutating func appendKey(_ responseKey: String, isFirst: Bool) -> Range<Int> {
    let start = keyBytes.count
    // A response key is a Name, so nothing in it needs escaping.
    keyBytes += (isFirst ? "\"\(responseKey)\":" : ",\"\(responseKey)\":").utf8
    return start..<keyBytes.count
  }

  private mutating func writing(
    of definition: FieldDefinition, _ binding: FieldBinding, on type: TypeID
  ) -> (WriteOperation.Kind, Int) {
    let named = schema[definition.type.type]
    if named.isComposite { return (.objects, 0) }
    guard definition.type.nullable.isNamed else { return (.leafValue, 0) }
    if case .column(let column) = binding { return writing(executable.columns[type.index][column]) }
    if named.kind == .enum { return (.text, 0) }
    guard let format = schema.scalars[definition.type.type]?.format else { return (.leafValue, 0) }
    return writing(format)
  }

  private mutating func writing(_ format: ColumnFormat) -> (WriteOperation.Kind, Int) {
    switch format {
    case .text: return (.text, 0)
    case .integer, .key: return (.integer, 0)
    case .double: return (.double, 0)
    case .boolean: return (.boolean, 0)
    case .dateTime: return (.dateTime, 0)
    case .enumeration(let names):
      let quoted = names.map { Array("\"\($0)\"".utf8) }
      if let place = enumerations.firstIndex(of: quoted) { return (.enumeration, place) }
      enumerations.append(quoted)
      return (.enumeration, enumerations.count - 1)
    }
  }

  private func arguments(
    of field: NodeIndex, _ definition: FieldDefinition
  ) throws(GraphQLError) -> ArgumentPlan {
    guard !definition.arguments.isEmpty else { return .constant(.none) }
    for argument in document.children(of: field, .argument) {
      // A variable may stand anywhere within the value; the nodes of the value are the argument's subtree.
      for node in argument..<Int(document[argument].subtreeEnd) where document[node].kind == .variable {
        return .dynamic(field: field, definitions: definition.arguments)
      }
    }
    return .constant(
      try ArgumentCoercion.coerce(
        field, definition.arguments, in: LiteralCoercion(schema: schema, document: document, variables: nil)))
  }
}

/// How large a plan may become.
package struct PlanLimits: Hashable, Sendable {
  /// Levels of selection sets, fragments spread out.
  package var depth = 32
  /// Fields over all sets and all types that an abstract type may be.
  package var fields = 10_000
  /// Bytes of the answers to `__schema` and `__type`, which a plan keeps. Past it: `INTROSPECTION_TOO_LARGE`.
  package var introspectionBytes = 4 << 20

  package init() {}
}

extension GraphQLError {
  static func operationTooDeep(_ limits: PlanLimits, at location: SourceLocation) -> GraphQLError {
    GraphQLError(
      "The operation selects fields deeper than \(limits.depth) levels.", at: [location], code: .operationTooDeep)
  }

  static func tooManyFields(_ limits: PlanLimits, at location: SourceLocation) -> GraphQLError {
    GraphQLError("The operation selects more than \(limits.fields) fields.", at: [location], code: .tooManyFields)
  }

  static func unknownField(_ name: String, of type: TypeDefinition, at location: SourceLocation) -> GraphQLError {
    GraphQLError(
      "Cannot query field \"\(name)\" on type \"\(type.name)\".", at: [location], code: .validationFailed)
  }
}

extension ErrorCode {
  package static let operationTooDeep = ErrorCode(rawValue: "OPERATION_TOO_DEEP")
  package static let tooManyFields = ErrorCode(rawValue: "TOO_MANY_FIELDS")
}
