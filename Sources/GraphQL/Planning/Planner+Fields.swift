extension Planner {
  /// Plans one field of a selection set, with the selection sets below it.
  mutating func field(
    _ group: FieldCollection.Group,
    parents: [Int],
    of type: TypeID,
    isFirst: Bool,
    depth: Int
  ) throws(GraphQLError) -> WriteOperation {
    let nodes = group.nodes
    guard fields.count < limits.fields else { throw .tooManyFields(limits, at: document.location(nodes[0])) }
    let key = appendKey(group.key, isFirst: isFirst)
    guard let field = boundField(nodes[0], on: type) else { return try metaField(group, key: key, on: type) }
    columns[type.index] |= field.columns
    let call = try call(of: nodes[0], field)
    fields.append(
      FieldPlan(
        responseKey: nameRange(of: group.key, in: key),
        type: field.type,
        nodes: nodes,
        call: call,
        namePosition: field.namePosition
      )
    )
    switch call {
    case .objects(let slot): return try objects(group, parents: parents, of: field, slot: slot, key: key, depth: depth)
    case .leaf(let slot): return leaf(field, isComputed: true, source: slot, key: key)
    case .stored(_, let column): return leaf(field, isComputed: false, source: column, key: key)
    }
  }

  /// The field of an object type that a field node selects. Nil if it is a meta-field, or the type has no such field.
  func boundField(_ node: NodeIndex, on type: TypeID) -> BoundField? {
    let index = schema.index.field(document.nodes[node], bytes: document.source.bytes, of: type.index)
    return index == SchemaIndex.none ? nil : executable.fields[index]
  }

  /// Plans the selection sets of a field for every object type that it can return.
  private mutating func objects(
    _ group: FieldCollection.Group,
    parents: [Int],
    of field: BoundField,
    slot: Int,
    key: ConstantRange,
    depth: Int
  ) throws(GraphQLError) -> WriteOperation {
    let deferral = SetDeferral(usages: group.usages, parents: parents)
    let draft = fields.count - 1
    let isAbstract = field.isAbstract
    let set: Int
    if isAbstract {
      set = try setsByType(of: group.nodes, deferral, on: field, depth: depth + 1)
      for possible in field.possibleTypes {
        let set = Int(setsByType[set + possible.index])
        if set != emptySet { select(fieldsOf: set, in: slot) }
      }
    } else {
      set = try self.set(of: group.nodes, deferral, on: field.type.type, depth: depth + 1)
      select(fieldsOf: set, in: slot)
    }
    let operation = WriteOperation(
      kind: isAbstract ? .abstractObjects : .objects,
      isComputed: false,
      isNullable: !field.type.isNonNull,
      isFree: false,
      wrappers: field.type.wrappers,
      source: Int32(slot),
      key: key,
      field: Int32(draft),
      operand: ConstantRange(start: Int32(set), length: 0)
    )
    return usesIncrementalDirectives ? try streamed(operation, field: group, type: field.type) : operation
  }

  /// Tells a call which fields of its objects are selected, including those that are deferred.
  private mutating func select(fieldsOf set: Int, in call: Int) {
    for index in sets[set].operations {
      let operation = operations[index]
      if operation.kind == .deferral {
        for group in incremental?.deferrals[operation.deferral].groups ?? [] {
          select(fieldsOf: group.set, in: call)
        }
      } else if let position = fields[Int(operation.field)].namePosition {
        calls.select(position, in: call)
      }
    }
  }

  func operation(
    _ kind: WriteOperation.Kind,
    isComputed: Bool = false,
    source: Int = 0,
    isNullable: Bool = false,
    isFree: Bool = false,
    key: ConstantRange,
    operand: ConstantRange
  ) -> WriteOperation {
    WriteOperation(
      kind: kind,
      isComputed: isComputed,
      isNullable: isNullable,
      isFree: isFree,
      wrappers: 0,
      source: Int32(source),
      key: key,
      field: Int32(fields.count - 1),
      operand: operand
    )
  }

  /// The range of a response key in the instruction's `key`, which ends with `":`.
  func nameRange(of key: NodeIndex, in range: ConstantRange) -> ConstantRange {
    let length = Int32(document.nodes[key].nameLength)
    return ConstantRange(start: range.start + range.length - 2 - length, length: length)
  }

  /// A response key is a Name, which never needs escaping.
  private mutating func appendKey(_ key: NodeIndex, isFirst: Bool) -> ConstantRange {
    let start = constants.count
    if !isFirst { constants.append(UInt8(ascii: ",")) }
    constants.append(UInt8(ascii: "\""))
    constants += document.nameBytes(key)
    constants.append(UInt8(ascii: "\""))
    constants.append(UInt8(ascii: ":"))
    return ConstantRange(start: Int32(start), length: Int32(constants.count - start))
  }
}
