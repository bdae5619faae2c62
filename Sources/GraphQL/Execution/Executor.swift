import Bytes

/// Executes planned operations, level by level (specification, section 6). One for each loop and confined to it.
package final class Executor {
  let executable: ExecutableSchema
  private var idle: [ExecutionState] = []

  package init(_ executable: ExecutableSchema) { self.executable = executable }

  /// The whole answer as JSON. `variables` are already coerced to the operation's definitions.
  package func execute(
    _ operation: PreparedOperation, variables: VariableValues, context: any ExecutionContext
  ) async -> ByteBuffer {
    let plan: OperationPlan
    do {
      plan = try operation.plan(for: variables, executable)
    } catch {
      return ErrorResponse.bytes([error])
    }
    let state = idle.popLast() ?? ExecutionState(executable)
    defer { idle.append(state) }
    state.prepare(for: plan)
    var run = Execution(
      executable: executable, plan: plan, operation: operation, variables: variables, context: context, state: state)
    return plan.operationType == .mutation ? await run.serially() : await run.normally()
  }
}

/// One execution of one plan.
struct Execution {
  let executable: ExecutableSchema
  let plan: OperationPlan
  let operation: PreparedOperation
  let variables: VariableValues
  let context: any ExecutionContext
  let state: ExecutionState

  /// Specification, section 6.2.1 and 6.2.3, `ExecuteQuery`: by levels, so that each costs one load of a kind.
  mutating func normally() async -> ByteBuffer {
    _ = state.batches[0].position(of: state.tables[plan.sets[0].type.index].add(unkeyed: 0))
    await computeLeaves(of: 0)
    var level = await resolve([0], only: nil)
    while !level.isEmpty { level = await resolve(level, only: nil) }
    var writer = ResponseWriter(plan: plan, state: state, output: ByteBuffer(capacity: 2048))
    writer.writeData()
    return writer.finish()
  }

  /// Specification, section 6.2.2, `ExecuteMutation`: one root field after the other, each written before the next
  /// changes what it shows.
  mutating func serially() async -> ByteBuffer {
    let root = plan.sets[0]
    var output = ByteBuffer(capacity: 1024)
    var errors: [GraphQLError] = []
    output.append("{\"data\":{")
    let dataStart = output.count - 1
    var isNull = false
    for place in root.operations {
      state.prepare(for: plan)
      _ = state.batches[0].position(of: state.tables[root.type.index].add(unkeyed: 0))
      let write = plan.operations[place]
      if write.kind == .objects {
        var level = await resolve([0], only: Int(write.field))
        while !level.isEmpty { level = await resolve(level, only: nil) }
      } else if write.isComputed {
        await computeLeaf(Int(write.field), of: 0)
      }
      var writer = ResponseWriter(plan: plan, state: state, output: output)
      let written = writer.writeRootField(place)
      errors += writer.errors
      output = writer.output()
      if !written {
        isNull = true
        break
      }
    }
    if isNull {
      output.truncate(to: dataStart)
      output.append("null")
    } else {
      output.append("}")
    }
    ErrorResponse.append(errors, to: &output)
    output.append("}")
    return output
  }

  // MARK: Levels

  /// Resolves the fields of a level's sets and gives the sets of the next.
  private mutating func resolve(_ level: [Int], only: Int?) async -> [Int] {
    for set in level {
      for field in plan.sets[set].compositeFields where only == nil || only == field {
        await resolve(plan.fields[field], at: field, of: set)
      }
    }
    collectWanted(level, only: only)
    loadWanted()
    var next: [Int] = []
    for set in level {
      for field in plan.sets[set].compositeFields where only == nil || only == field {
        formBatches(of: plan.fields[field], &next)
      }
    }
    for set in next { await computeLeaves(of: set) }
    return next
  }

  private mutating func resolve(_ field: FieldPlan, at place: Int, of set: Int) async {
    let arguments: Arguments
    do {
      arguments = try self.arguments(of: field)
    } catch {
      fail(field, set, FieldFailure(message: error.message, code: error.code))
      return
    }
    var batch = Batch(
      state: state, executable: executable, plan: plan, field: field, set: set, arguments: arguments)
    do {
      switch field.binding {
      case .reference(let column):
        for slot in 0..<batch.count {
          if let key = batch.int(slot, column) { batch.add(slot, key: key) }
        }
      case .load(_, let load): try load(&batch, context)
      case .asyncLoad(_, let load):
        context.willSuspend()
        try await load(&batch, context)
      case .column, .leaf, .asyncLeaf: break
      }
      batch.finish()
    } catch {
      fail(field, set, failure(error, field))
    }
  }

  private func failure(_ error: any Error, _ field: FieldPlan) -> FieldFailure {
    if let error = error as? FieldError { return FieldFailure(message: error.message, code: error.code) }
    context.report(error, at: field.coordinate)
    return FieldFailure(message: "Something went wrong on our side.", code: .internalError)
  }

  /// The same error for every parent.
  private func fail(_ field: FieldPlan, _ set: Int, _ failure: FieldFailure) {
    let token = RunToken.error(state.fail(failure)).bits
    state.runs[field.slot].removeAll()
    for slot in 0..<state.batches[set].rows.count {
      state.runs[field.slot].starts.append(Int32(slot))
      state.runs[field.slot].tokens.append(token)
    }
  }

  private func arguments(of field: FieldPlan) throws(GraphQLError) -> Arguments {
    switch field.arguments {
    case .constant(let arguments): return arguments
    case .dynamic(let node, let definitions):
      return try ArgumentCoercion.coerce(
        node, definitions,
        in: LiteralCoercion(schema: executable.schema, document: operation.document, variables: variables))
    }
  }

  // MARK: Objects by key

  private func collectWanted(_ level: [Int], only: Int?) {
    for set in level {
      for place in plan.sets[set].compositeFields where only == nil || only == place {
        let field = plan.fields[place]
        for (_, key) in state.runs[field.slot].unresolved {
          guard let type = context.objectType(of: key)?.index, field.sets[type] >= 0,
            state.tables[type].row(of: key) == nil
          else { continue }
          state.want(key, of: type)
        }
      }
    }
  }

  private func loadWanted() {
    for (type, keys) in state.wanted {
      guard let load = executable.loads[type] else { continue }
      var rows = RowLoading(state: state, type: TypeID(type), columns: plan.columns[type])
      do {
        try load(keys, &rows, context)
      } catch {
        // The objects stay unloaded and their fields null, or an error where null cannot stand.
        context.report(error, at: executable.schema.types[type].name)
      }
    }
    state.wanted.removeAll(keepingCapacity: true)
  }

  /// Puts what a field gave into the batches of its sets.
  private func formBatches(of field: FieldPlan, _ next: inout [Int]) {
    let slot = field.slot
    for (place, key) in state.runs[slot].unresolved {
      guard let type = context.objectType(of: key)?.index, let row = state.tables[type].row(of: key) else { continue }
      state.runs[slot].tokens[place] = RunToken.object(type, row).bits
    }
    for place in state.runs[slot].tokens.indices {
      let token = RunToken(bits: state.runs[slot].tokens[place])
      guard token.kind == .object else { continue }
      let set = Int(field.sets[token.type])
      guard set >= 0 else {
        let failure = FieldFailure(
          message: "Abstract type was resolved to a type that is not one of its possible types.", code: .internalError)
        state.runs[slot].tokens[place] = RunToken.error(state.fail(failure)).bits
        continue
      }
      if state.batches[set].rows.isEmpty { next.append(set) }
      let position = state.batches[set].position(of: token.row)
      state.runs[slot].tokens[place] = RunToken.object(set, position).bits
    }
  }

  // MARK: Computed leaves

  private mutating func computeLeaves(of set: Int) async {
    for field in plan.sets[set].computedFields { await computeLeaf(field, of: set) }
  }

  private mutating func computeLeaf(_ place: Int, of set: Int) async {
    let field = plan.fields[place]
    let type = field.parentType.index
    let arguments: Arguments
    do {
      arguments = try self.arguments(of: field)
    } catch {
      let cell = CellCoding.error(state.fail(FieldFailure(message: error.message, code: error.code)))
      state.leaves[field.slot] = Array(repeating: cell, count: state.batches[set].rows.count)
      return
    }
    for slot in state.batches[set].rows.indices {
      let view = ObjectView(
        state: state, type: type, row: Int(state.batches[set].rows[slot]), arguments: arguments, context: context)
      let cell: Cell
      do {
        let value: LeafValue
        switch field.binding {
        case .leaf(_, let make): value = try make(view)
        case .asyncLeaf(_, let make):
          context.willSuspend()
          value = try await make(view, context)
        default: value = .null
        }
        cell = try ResultCoercion.cell(for: value, of: field.type, in: executable.schema, state)
      } catch {
        cell = CellCoding.error(state.fail(failure(error, field)))
      }
      state.leaves[field.slot].append(cell)
    }
  }
}
