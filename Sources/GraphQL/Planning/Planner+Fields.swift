extension Planner {
  /// Plans one field of a selection set, with the selection sets below it.
  mutating func field(
    _ group: FieldCollection.Group,
    parents: [Int],
    of type: TypeID,
    isFirst: Bool,
    depth: Int
  ) throws(GraphQLError) -> WriteOperation {
    let (responseKey, nodes) = (group.responseKey, group.nodes)
    guard drafts.count < limits.fields else { throw .tooManyFields(limits, at: document.location(nodes[0])) }
    let name = document.name(nodes[0])
    let key = appendKey(responseKey, isFirst: isFirst)
    if let definition = failingIntrospection(nodes[0], named: name, on: type) {
      return failing(nodes, definition: definition, responseKey: responseKey, key: key, on: type)
    }
    if let answer = try constantResponse(to: nodes, named: name, on: type) {
      drafts.append(
        FieldDraft(
          responseKey: responseKey,
          name: name,
          type: TypeReference(type: type),
          nodes: nodes,
          call: nil,
          coordinate: "\(schema[type].name).\(name)"
        )
      )
      return operation(.constant, key: key, extra: answer)
    }
    guard let index = schema[type].fieldNames.index(of: nodes[0], in: document) else {
      throw .unknownField(name, of: schema[type], at: document.location(nodes[0]))
    }
    let definition = schema[type].fields[index]
    let binding = executable.bindings[type.index][index]
    for column in binding.needs { columns[type.index] |= 1 << UInt64(column) }
    let call = try call(of: nodes[0], field: index, definition, on: type)
    drafts.append(
      FieldDraft(
        responseKey: responseKey,
        name: name,
        type: definition.type,
        nodes: nodes,
        call: call,
        coordinate: "\(schema[type].name).\(name)"
      )
    )
    if schema[definition.type.type].isComposite {
      return try objects(
        group,
        parents: parents,
        definition: definition,
        call: call,
        key: key,
        draft: drafts.count - 1,
        depth: depth
      )
    }
    let (kind, extra) = writing(of: definition, binding, on: type)
    if case .column(let column) = binding {
      return operation(kind, source: column, isNullable: !definition.type.isNonNull, key: key, extra: extra)
    }
    return operation(
      kind,
      isComputed: true,
      source: call.slot,
      isNullable: !definition.type.isNonNull,
      key: key,
      extra: extra
    )
  }

  /// Plans the selection sets of a field for every object type that it can return.
  private mutating func objects(
    _ group: FieldCollection.Group,
    parents: [Int],
    definition: FieldDefinition,
    call: FieldCallReference,
    key: ConstantRange,
    draft: Int,
    depth: Int
  ) throws(GraphQLError) -> WriteOperation {
    let selectionSets = group.nodes.compactMap { document.firstChild(of: $0, .selectionSet) }
    let deferral = SetDeferral(usages: group.usages, parents: parents)
    let type = definition.type.type
    var children: [(type: TypeID, set: Int)] = []
    for possible in schema[type].possibleTypes {
      let set = try set(of: selectionSets, deferral, on: possible, depth: depth + 1)
      children.append((possible, set))
      select(fieldsOf: set, in: call)
    }
    let start: Int
    if schema[type].isAbstract {
      start = setsByType.count
      setsByType += Array(repeating: -1, count: schema.types.count)
      for child in children { setsByType[start + child.type.index] = Int32(child.set) }
    } else {
      start = children.first?.set ?? 0
    }
    let operation = WriteOperation(
      kind: schema[type].isAbstract ? .abstractObjects : .objects,
      isComputed: false,
      isNullable: !definition.type.isNonNull,
      wrappers: definition.type.wrappers,
      source: Int32(call.slot),
      key: key,
      field: Int32(draft),
      extra: ConstantRange(start: Int32(start), length: 0)
    )
    return incremental == nil ? operation : streamed(operation, field: group, definition: definition)
  }

  /// Tells a call which fields of its objects are selected, including those that are deferred.
  private mutating func select(fieldsOf set: Int, in call: FieldCallReference) {
    guard let selected = sets[set]?.operations else { return }
    for operation in operations[selected] {
      if operation.kind == .deferral {
        for group in incremental?.deferrals[Int(operation.extra.start)].groups ?? [] {
          select(fieldsOf: group.set, in: call)
        }
      } else {
        calls.select(drafts[Int(operation.field)].name, in: call)
      }
    }
  }

  func operation(
    _ kind: WriteOperation.Kind,
    isComputed: Bool = false,
    source: Int = 0,
    isNullable: Bool = false,
    key: ConstantRange,
    extra: ConstantRange
  ) -> WriteOperation {
    WriteOperation(
      kind: kind,
      isComputed: isComputed,
      isNullable: isNullable,
      wrappers: 0,
      source: Int32(source),
      key: key,
      field: Int32(drafts.count - 1),
      extra: extra
    )
  }

  private mutating func appendKey(_ responseKey: String, isFirst: Bool) -> ConstantRange {
    // A response key is a Name, which never needs escaping.
    appendConstant((isFirst ? "\"\(responseKey)\":" : ",\"\(responseKey)\":").utf8)
  }
}
