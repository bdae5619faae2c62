/// A schema in which every field has a resolver.
package final class ExecutableSchema: Sendable {
  package let schema: Schema
  /// Indexed like `SchemaIndex.fields`; nil for the fields of interfaces and of introspection, and for meta-fields.
  let fields: [BoundField?]
  let columns: [[ColumnFormat]]
  let loads: [(@Sendable ([Int64], inout RowLoading, any ExecutionContext) throws -> Void)?]
  /// The event source of each field of the subscription root operation type, by field name.
  let sources: [String: SourceBinding]
  /// The weights of fields and types for cost analysis.
  let weights: SchemaWeights

  /// Fails, naming each schema coordinate, if a field has no binding, a binding has no field, or a binding does not fit
  /// its field; and if an argument of `@cost` or `@listSize` cannot be used.
  ///
  /// - Parameter listSize: The assumed size of lists for which no `@listSize` states it.
  package init(_ schema: Schema, objects: [String: ObjectBinding], listSize: Int = 1) throws(SchemaError) {
    self.schema = schema
    var faults: [String] = []
    var bindings: [[FieldBinding]] = []
    var columns: [[ColumnFormat]] = []
    var loads: [(@Sendable ([Int64], inout RowLoading, any ExecutionContext) throws -> Void)?] = []
    for type in schema.types {
      guard type.kind == .object, !type.name.hasPrefix("__") else {
        bindings.append([])
        columns.append([])
        loads.append(nil)
        continue
      }
      let object = objects[type.name]
      bindings.append(Self.bindings(of: type, by: object, in: schema, faults: &faults))
      columns.append(object?.columns ?? [])
      loads.append(object?.load)
    }
    for name in objects.keys.sorted() where schema.type(named: name).map({ schema[$0].kind != .object }) ?? true {
      faults.append("\(name) is resolved, but the schema has no object type of that name.")
    }
    let sources = schema.subscriptionType.flatMap { objects[schema[$0].name]?.sources } ?? [:]
    faults += Self.faults(of: objects, in: schema) + CostDirectiveFaults.all(in: schema)
    guard faults.isEmpty else {
      throw SchemaError(faults.map { GraphQLError($0, code: .schemaInvalid) })
    }
    self.columns = columns
    self.loads = loads
    self.sources = sources
    weights = SchemaWeights(schema, listSize: listSize)
    fields = Self.bind(schema, to: bindings, columns: columns, weights: weights)
  }

  /// The binding of each field of an object type.
  ///
  /// - Parameter faults: Receives what does not fit. A missing binding is replaced by that of a column.
  private static func bindings(
    of type: TypeDefinition,
    by object: ObjectBinding?,
    in schema: Schema,
    faults: inout [String]
  ) -> [FieldBinding] {
    if let object, object.columns.count > maximumColumns {
      faults.append("\(type.name) has more than \(maximumColumns) columns.")
    }
    if object == nil { faults.append("\(type.name) is in the schema, but nothing resolves it.") }
    var bindings: [FieldBinding] = []
    for field in type.fields {
      guard let binding = object?.fields[field.name] else {
        if object != nil { faults.append("\(type.name).\(field.name) is in the schema, but nothing resolves it.") }
        bindings.append(.column(0))
        continue
      }
      if let fault = fault(of: binding, columns: object?.columns ?? [], for: field, in: schema) {
        faults.append("\(type.name).\(field.name) \(fault)")
      }
      bindings.append(binding)
    }
    for name in (object?.fields.keys.sorted() ?? []) where type.field(name) == nil {
      faults.append("\(type.name).\(name) is resolved, but it is not in the schema.")
    }
    return bindings
  }

  /// The fields of all object types with their resolvers.
  private static func bind(
    _ schema: Schema,
    to bindings: [[FieldBinding]],
    columns: [[ColumnFormat]],
    weights: SchemaWeights
  ) -> [BoundField?] {
    let names = Set(schema.types.lazy.flatMap(\.fields).map(\.name)).sorted()
    let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    var fields: [BoundField?] = Array(repeating: nil, count: schema.index.fields.count)
    for (type, ofType) in bindings.enumerated() {
      for (index, binding) in zip(schema.index.types[type].fields, ofType) {
        let definition = schema.index.fieldDefinitions[index]
        fields[index] = BoundField(
          definition,
          at: index,
          of: TypeID(type),
          in: schema,
          binding: binding,
          columns: columns[type],
          weights: weights.fields[type][index - schema.index.types[type].fields.lowerBound],
          typeWeight: weights.types[definition.type.type.index],
          fieldNames: names,
          namePosition: positions[definition.name]
        )
      }
    }
    return fields
  }

  /// A plan stores the set of columns that it reads in one 64-bit word.
  private static let maximumColumns = 64

  /// Checks that every field of the subscription type has an event source, and that no other field has one.
  private static func faults(of objects: [String: ObjectBinding], in schema: Schema) -> [String] {
    let root = schema.subscriptionType.map { schema[$0] }
    return objects.sorted { $0.key < $1.key }.flatMap { name, object in
      let needed = name == root?.name ? root?.fields.map(\.name) ?? [] : []
      // A field without a resolver is reported as that.
      let missing = needed.filter { object.sources[$0] == nil && object.fields[$0] != nil }
      let extra = object.sources.keys.sorted().filter { !needed.contains($0) }
      return missing.map { "\(name).\($0) is a subscription field, but has no event source." }
        + extra.map { "\(name).\($0) has an event source, but is not a subscription field." }
    }
  }

  private static func fault(
    of binding: FieldBinding,
    columns: [ColumnFormat],
    for field: FieldDefinition,
    in schema: Schema
  ) -> String? {
    let composite = schema[field.type.type].isComposite
    for column in binding.needs where !columns.indices.contains(column) {
      return "reads column \(column), which its type does not have."
    }
    switch binding {
    case .column(let column):
      if composite { return "is an object in the schema, but is resolved as a leaf." }
      guard field.type.nullable.isNamed else { return "is a list in the schema, but is resolved as a column." }
      guard field.arguments.isEmpty else { return "has arguments in the schema, but is resolved as a column." }
      return fits(columns[column], type: schema[field.type.type])
        ? nil : "is of type \(schema.name(of: field.type)) in the schema, but its column is \(columns[column])."
    case .leaf, .asyncLeaves:
      return composite ? "is an object in the schema, but is resolved as a leaf." : nil
    case .reference(let column):
      if !composite || field.type.isList { return "is not one object in the schema, but is resolved as a reference." }
      return columns[column] == .key ? nil : "is resolved as a reference by a column that is not a key."
    case .load, .asyncLoad, .asyncObjects:
      return composite ? nil : "is a leaf in the schema, but is resolved as objects."
    }
  }

  private static func fits(_ format: ColumnFormat, type: TypeDefinition) -> Bool {
    switch format {
    case .text: type.name == "String" || type.name == "ID" || (type.kind == .scalar && !isBuiltIn(type))
    case .integer: type.name == "Int" || (type.kind == .scalar && !isBuiltIn(type))
    case .double: type.name == "Float"
    case .boolean: type.name == "Boolean"
    case .dateTime: type.kind == .scalar && !isBuiltIn(type)
    case .enumeration(let names): type.kind == .enum && names == type.enumValues.map(\.name)
    case .key: false
    }
  }

  private static func isBuiltIn(_ type: TypeDefinition) -> Bool { BuiltInDefinitions.scalars.contains(type.name) }
}
