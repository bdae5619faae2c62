/// The results of the introspection fields `__schema` and `__type` (specification, section 4.1).
struct IntrospectionResult: ~Copyable {
  /// Whether the result depends on variables.
  let dependsOnVariables: Bool
  private let table: IntrospectionTable
  private let selections: IntrospectionSelections
  private let set: Int
  /// Nil if the result is null.
  private let row: Int?
  /// The length of the JSON.
  let byteCount: Int
  /// What remains of the result, if the errors of nested fields are kept. The result has null for each of these fields,
  /// whatever its type, and is not shorter than what remains.
  let partial: PartialIntrospection?

  /// Whether a field of the query root operation type is an introspection field.
  static func isAskedFor(by name: String) -> Bool { name == "__schema" || name == "__type" }

  /// Resolves the field of these nodes.
  ///
  /// Fails with `BAD_USER_INPUT` if a variable in an argument has the wrong type, with `OPERATION_TOO_DEEP` or
  /// `TOO_MANY_FIELDS` beyond the plan's limits, and with `INTROSPECTION_TOO_LARGE` beyond `maximumBytes`.
  ///
  /// - Parameter keepsFailures: Whether nested fields whose arguments cannot be coerced are kept in `partial` with
  ///   their errors, instead of failing the result.
  init(
    to nodes: NodeList,
    of document: Document,
    fragments: Fragments,
    conditions: [String: Bool],
    variables: VariableValues,
    against schema: Schema,
    limits: PlanLimits,
    maximumBytes: Int,
    keepsFailures: Bool = false
  ) throws(GraphQLError) {
    var builder = IntrospectionSelectionBuilder(
      schema: schema,
      document: document,
      fragments: fragments,
      conditions: conditions,
      variables: variables,
      limits: limits,
      keepsFailures: keepsFailures
    )
    let table = schema.introspection
    let name = document.name(nodes[0])
    guard let definition = table.field(named: name) else {
      throw .unknownField(name, of: schema[schema.queryType], at: document.location(nodes[0]))
    }
    let arguments = try builder.arguments(of: nodes[0], definition)
    let set = try builder.selection(of: nodes, on: definition.type.type, depth: 2)
    let type = arguments["name"]?.string.flatMap { schema.type(named: $0) }
    let row = name == "__schema" ? table.schemaRow : type.map { table.row(of: $0) }
    let dependsOnVariables = builder.dependsOnVariables
    let partialSets = builder.partialSets
    let selections = builder.finish()
    let size: IntrospectionSize
    do throws(IntrospectionSize.Overflow) {
      size = try IntrospectionWriter.write(
        row,
        of: table,
        set: set,
        of: selections,
        to: IntrospectionSize(maximum: maximumBytes)
      )
      try size.requireRoom()
    } catch {
      throw GraphQLError(
        "The result of \"\(name)\" is longer than \(limits.introspectionBytes) bytes.",
        at: [document.location(nodes[0])],
        code: .introspectionTooLarge
      )
    }
    self.dependsOnVariables = dependsOnVariables
    self.table = table
    self.selections = selections
    self.set = set
    self.row = row
    byteCount = size.count
    partial = keepsFailures ? PartialIntrospection(table: table, row: row, set: set, sets: partialSets) : nil
  }

  /// Appends the result as JSON.
  func append(to json: inout [UInt8]) {
    let start = json.count
    json.append(contentsOf: repeatElement(0, count: byteCount + IntrospectionTable.padding))
    json.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let memory = IntrospectionMemory(base + start)
      let written = IntrospectionWriter.write(row, of: table, set: set, of: selections, to: memory)
      precondition(written.count == byteCount)
    }
    json.removeLast(IntrospectionTable.padding)
  }
}

extension ErrorCode {
  /// The result of an introspection field exceeds the size limit.
  package static let introspectionTooLarge = ErrorCode(rawValue: "INTROSPECTION_TOO_LARGE")
}
