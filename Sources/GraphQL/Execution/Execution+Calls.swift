extension Execution {
  // MARK: Calls that give objects

  /// Makes a call for the parents that are pending; false where it is overdue and has to be made again.
  func makeCall(_ slot: Int) -> Bool {
    if let givenUp {
      fail(slot, givenUp)
      state.runs[slot].pendingAreAnswered()
      return true
    }
    guard var batch = batch(slot) else { return true }
    do {
      switch plan.loads[slot].binding {
      case .reference(let column):
        for parent in 0..<batch.count {
          if let key = batch.int(parent, column) { batch.add(parent, key: key) }
        }
      case .load(_, let load): try load(&batch, context)
      case .column, .leaf, .asyncLeaf, .asyncLeaves, .asyncLoad, .asyncObjects: break
      }
      batch.finish()
    } catch {
      if !context.isOverdue { fail(slot, failure(error, plan.loads[slot].coordinate)) }
    }
    if isOverdue(after: state.runs[slot].pending.count) {
      state.runs[slot].forgetPending()
      return false
    }
    state.runs[slot].pendingAreAnswered()
    return true
  }

  /// Whether the execution is overdue after work on so many objects more. The clock is read once for many.
  private func isOverdue(after objects: Int) -> Bool {
    if context.isOverdue { return true }
    uncheckedObjects += objects
    guard uncheckedObjects >= Self.objectsBetweenChecks else { return false }
    uncheckedObjects = 0
    return context.checkTime()
  }

  /// The parents that are pending with the call's arguments; where those are wrong, every parent is told.
  func batch(_ slot: Int) -> Batch? {
    let call = plan.loads[slot]
    switch arguments(of: call) {
    case .success(let arguments):
      return Batch(
        of: call,
        slot: slot,
        arguments: arguments,
        columns: plan.columns,
        state: state,
        context: context
      )
    case .failure(let error):
      fail(slot, FieldFailure(message: error.message, code: .badUserInput, place: error.place))
      state.runs[slot].pendingAreAnswered()
      return nil
    }
  }

  /// The same error for every parent that waits.
  func fail(_ slot: Int, _ failure: FieldFailure) {
    let token = RunToken.error(state.fail(failure))
    state.runs[slot].putForAllPending(token)
  }

  /// What the client is told of an error: what was meant for it, or else only that there was one.
  func failure(_ error: any Error, _ coordinate: String) -> FieldFailure {
    if let error = error as? FieldError ?? context.fieldError(for: error) { return FieldFailure(error) }
    context.report(error, at: coordinate)
    let message = (error as? ResultError)?.message ?? GraphQLError.ourFault
    return FieldFailure(message: message, code: .internalError)
  }

  // MARK: Objects by key

  /// False where loading them is overdue, and has to go on elsewhere.
  func loadWanted() -> Bool {
    while let type = state.takeWantedType() {
      let keys = state.tables[type].wantedKeys
      // Without a loader, nobody can say that the objects are there.
      if !keys.isEmpty, let load = executable.loads[type] {
        var loading = RowLoading(state: state, type: TypeID(type), columns: plan.columns[type])
        do {
          if givenUp == nil { try load(keys, &loading, context) }
          if let givenUp { state.tables[type].failWanted(with: state.fail(givenUp)) }
        } catch {
          if !context.isOverdue {
            state.tables[type].failWanted(with: state.fail(failure(error, executable.schema.types[type].name)))
          }
        }
        if isOverdue(after: keys.count) {
          state.putBackWantedType(type)
          return false
        }
      }
      state.tables[type].wantedAreLoaded()
    }
    return true
  }

  // MARK: Calls that give leaves

  /// Makes a leaf of every object of a set that does not have it yet; false where that is overdue, and has to go on
  /// elsewhere.
  func make(_ slot: Int, of set: Int) -> Bool {
    let call = plan.leaves[slot]
    guard case .leaf(_, let make) = call.binding else { return true }
    for row in rowsWithout(slot, in: set) {
      if let givenUp {
        state.leaves[slot].set(row, CellCoding.error(state.fail(givenUp)))
        continue
      }
      uncheckedObjects += 1
      if uncheckedObjects >= Self.objectsBetweenChecks, isOverdue(after: 0) { return false }
      guard let view = view(of: row, for: call, slot) else { continue }
      do {
        state.leaves[slot].set(
          row,
          try ResultCoercion.cell(for: try make(view), of: call.type, in: executable.schema, state)
        )
      } catch {
        if context.isOverdue { return false }
        state.leaves[slot].set(row, CellCoding.error(state.fail(failure(error, call.coordinate))))
      }
    }
    return true
  }

  func rowsWithout(_ leaf: Int, in set: Int) -> [Int] {
    state.batches[set].rows.indices.map { Int(state.batches[set].rows[$0]) }.filter { !state.leaves[leaf].isMade($0) }
  }

  /// The object of which a leaf is made; where the call's arguments are wrong, the leaf is their error.
  func view(of row: Int, for call: FieldCall, _ slot: Int) -> ObjectView? {
    switch arguments(of: call) {
    case .success(let arguments):
      return ObjectView(
        state: state,
        type: call.parentType,
        row: row,
        arguments: arguments,
        context: context
      )
    case .failure(let error):
      let failure = FieldFailure(message: error.message, code: .badUserInput, place: error.place)
      state.leaves[slot].set(row, CellCoding.error(state.fail(failure)))
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
