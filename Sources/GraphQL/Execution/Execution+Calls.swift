extension Execution {
  // MARK: Calls that wait

  func make(_ call: WaitingCall) async {
    context.willSuspend()
    switch call {
    case .objects(let slot): await makeWaitingCall(slot)
    case .leaf(let slot, let set): await makeWaitingLeaves(slot, of: set)
    }
  }

  private func makeWaitingCall(_ slot: Int) async {
    guard case .asyncLoad(_, let load) = plan.loads[slot].binding, var batch = batch(slot) else { return }
    do {
      try await load(&batch, context)
      batch.finish()
    } catch {
      fail(slot, failure(error, plan.loads[slot].coordinate))
    }
    state.runs[slot].pendingAreAnswered()
  }

  private func makeWaitingLeaves(_ slot: Int, of set: Int) async {
    let call = plan.leaves[slot]
    guard case .asyncLeaf(_, let make) = call.binding else { return }
    let cells = state.leaves[slot]
    for row in rowsWithout(cells, in: set) {
      guard let view = view(of: row, for: call, cells) else { continue }
      do {
        let value = try await make(view, context)
        cells.set(row, try ResultCoercion.cell(for: value, of: call.type, in: executable.schema, state))
      } catch {
        cells.set(row, CellCoding.error(state.fail(failure(error, call.coordinate))))
      }
    }
  }

  // MARK: Calls that give objects

  /// Makes a call for the parents that are pending.
  func makeCall(_ slot: Int) {
    guard var batch = batch(slot) else { return }
    do {
      switch plan.loads[slot].binding {
      case .reference(let column):
        for parent in 0..<batch.count {
          if let key = batch.int(parent, column) { batch.add(parent, key: key) }
        }
      case .load(_, let load): try load(&batch, context)
      case .column, .leaf, .asyncLeaf, .asyncLoad: break
      }
      batch.finish()
    } catch {
      fail(slot, failure(error, plan.loads[slot].coordinate))
    }
    state.runs[slot].pendingAreAnswered()
  }

  /// The parents that are pending with the call's arguments; where those are wrong, every parent is told.
  private func batch(_ slot: Int) -> Batch? {
    let call = plan.loads[slot]
    switch arguments(of: call) {
    case .success(let arguments):
      return Batch(state: state, plan: plan, call: call, slot: slot, arguments: arguments, context: context)
    case .failure(let error):
      fail(slot, FieldFailure(message: error.message, code: .badUserInput, place: error.place))
      state.runs[slot].pendingAreAnswered()
      return nil
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
  func failure(_ error: any Error, _ coordinate: String) -> FieldFailure {
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
  func make(_ slot: Int, of set: Int) {
    let call = plan.leaves[slot]
    guard case .leaf(_, let make) = call.binding else { return }
    let cells = state.leaves[slot]
    for row in rowsWithout(cells, in: set) {
      guard let view = view(of: row, for: call, cells) else { continue }
      do {
        cells.set(row, try ResultCoercion.cell(for: try make(view), of: call.type, in: executable.schema, state))
      } catch {
        cells.set(row, CellCoding.error(state.fail(failure(error, call.coordinate))))
      }
    }
  }

  private func rowsWithout(_ cells: LeafColumn, in set: Int) -> [Int] {
    let batch = state.batches[set]
    return batch.rows.indices.map { Int(batch.rows[$0]) }.filter { !cells.isMade($0) }
  }

  /// The object of which a leaf is made; where the call's arguments are wrong, the leaf is their error.
  private func view(of row: Int, for call: FieldCall, _ cells: LeafColumn) -> ObjectView? {
    switch arguments(of: call) {
    case .success(let arguments):
      return ObjectView(
        state: state,
        table: state.tables[call.parentType.index],
        row: row,
        arguments: arguments,
        context: context
      )
    case .failure(let error):
      let failure = FieldFailure(message: error.message, code: .badUserInput, place: error.place)
      cells.set(row, CellCoding.error(state.fail(failure)))
      return nil
    }
  }

  // MARK: Arguments

  func arguments(of call: FieldCall) -> Result<Arguments, ArgumentError> {
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

  /// Refuses an operation that costs too much with these variables, or does not say with them how long a list may be.
  /// One that asks for no variables was checked when it was planned.
  func checkCost() throws(GraphQLError) {
    guard plan.costHangsOnVariables else { return }
    try SlicingArguments.check(plan, of: operation.document, variables)
    let cost = CostAnalysis.cost(of: plan) { call in try? arguments(of: call).get() }
    if let excess = cost.excess(over: operation.limits.cost) { throw excess }
  }
}
