extension Execution {
  // MARK: Calls that give objects

  /// Makes a call for the parents that wait for it.
  func makeCall(_ slot: Int) async {
    let call = plan.loads[slot]
    let arguments: Arguments
    switch self.arguments(of: call) {
    case .success(let known): arguments = known
    case .failure(let error):
      fail(slot, FieldFailure(message: error.message, code: .badUserInput, place: error.place))
      return
    }
    var batch = Batch(state: state, plan: plan, call: call, slot: slot, arguments: arguments, context: context)
    do {
      switch call.binding {
      case .reference(let column):
        for parent in 0..<batch.count {
          if let key = batch.int(parent, column) { batch.add(parent, key: key) }
        }
      case .load(_, let load): try load(&batch, context)
      case .asyncLoad(_, let load):
        context.willSuspend()
        try await load(&batch, context)
      case .column, .leaf, .asyncLeaf: break
      }
      batch.finish()
    } catch {
      fail(slot, failure(error, call.coordinate))
    }
  }

  /// The same error for every parent that waits.
  private func fail(_ slot: Int, _ failure: FieldFailure) {
    let runs = state.runs[slot]
    let token = RunToken.error(state.fail(failure))
    let start = Int32(truncatingIfNeeded: runs.tokens.count)
    runs.tokens.append(token.bits)
    for place in runs.pending.indices { runs.starts[Int(runs.pending[place])] = start }
  }

  /// What the client is told of an error: what was meant for it, or else only that there was one.
  private func failure(_ error: any Error, _ coordinate: String) -> FieldFailure {
    if let error = error as? FieldError { return FieldFailure(message: error.message, code: error.code) }
    context.report(error, at: coordinate)
    let message = (error as? ResultError)?.message ?? "Something went wrong on our side."
    return FieldFailure(message: message, code: .internalError)
  }

  // MARK: Objects by key

  func loadWanted() {
    state.takeWanted { type, rows in
      let table = state.tables[type]
      // Without a loader, nobody can say that the objects are there.
      guard let load = executable.loads[type] else { return }
      var loading = RowLoading(state: state, type: TypeID(type), columns: plan.columns[type])
      do {
        try load(rows.map { table.key($0) }, &loading, context)
      } catch {
        let place = state.fail(failure(error, executable.schema.types[type].name))
        for row in rows { table.fail(row, with: place) }
      }
    }
  }

  // MARK: Calls that give leaves

  /// Makes a leaf of every object of a set that does not have it yet.
  func make(_ slot: Int, of set: Int) async {
    let call = plan.leaves[slot]
    let cells = state.leaves[slot]
    let batch = state.batches[set]
    let arguments = self.arguments(of: call)
    for place in batch.rows.indices {
      let row = Int(batch.rows[place])
      guard !cells.isMade(row) else { continue }
      switch arguments {
      case .failure(let error):
        let failure = FieldFailure(message: error.message, code: .badUserInput, place: error.place)
        cells.set(row, CellCoding.error(state.fail(failure)))
      case .success(let arguments): cells.set(row, await cell(for: call, row, arguments))
      }
    }
  }

  private func cell(for call: FieldCall, _ row: Int, _ arguments: Arguments) async -> Cell {
    let view = ObjectView(
      state: state,
      table: state.tables[call.parentType.index],
      row: row,
      arguments: arguments,
      context: context
    )
    do {
      let value: LeafValue
      switch call.binding {
      case .leaf(_, let make): value = try make(view)
      case .asyncLeaf(_, let make):
        context.willSuspend()
        value = try await make(view, context)
      default: value = .null
      }
      return try ResultCoercion.cell(for: value, of: call.type, in: executable.schema, state)
    } catch {
      return CellCoding.error(state.fail(failure(error, call.coordinate)))
    }
  }

  // MARK: Arguments

  private func arguments(of call: FieldCall) -> Result<Arguments, ArgumentError> {
    switch call.arguments {
    case .constant(let arguments): return .success(arguments)
    case .dynamic(let slot, let node, let definitions):
      if let known = state.arguments[slot] { return known }
      let coerced: Result<Arguments, ArgumentError>
      do {
        coerced = .success(
          try ArgumentCoercion.coerce(
            node,
            definitions,
            in: LiteralCoercion(schema: executable.schema, document: operation.document, variables: variables)
          )
        )
      } catch {
        coerced = .failure(error)
      }
      state.arguments[slot] = coerced
      return coerced
    }
  }

  /// Why the operation costs too much with these variables; nil where it does not. What it costs without any was found
  /// when it was planned.
  func excessiveCost() -> GraphQLError? {
    guard plan.costHangsOnVariables else { return nil }
    return CostAnalysis.cost(of: plan) { call in try? arguments(of: call).get() }.excess(over: operation.limits.cost)
  }
}
