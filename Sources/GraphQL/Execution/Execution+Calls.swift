import Bytes

extension Execution {
  // MARK: Calls that return objects

  /// Makes a call for its pending parents.
  func makeCall(_ slot: Int) -> CallProgress {
    if let abortFailure {
      fail(slot, with: abortFailure)
      state.runs[slot].clearPending()
      return .made
    }
    guard var batch = batch(slot) else { return .made }
    var thrown: (any Error)?
    if readsInPasses { context.beginPass() }
    do {
      switch plan.loads[slot].binding {
      case .reference(let column):
        for parent in 0..<batch.count {
          if let key = batch.int(parent, column: column) { batch.add(parent, key: key) }
        }
      case .load(_, let load): try load(&batch, context)
      case .column, .leaf, .asyncLeaves, .asyncLoad, .asyncObjects: break
      }
      batch.finish()
    } catch {
      thrown = error
    }
    // An overdue call is not repeated here, whether or not it has its data.
    if readsInPasses, context.endPass(), !context.isOverdue {
      state.runs[slot].resetPending()
      return .unanswered
    }
    if let thrown, !context.isOverdue { fail(slot, with: failure(thrown, at: plan.loads[slot].coordinate)) }
    if isOverdue(after: state.runs[slot].pending.count) {
      state.runs[slot].resetPending()
      return .overdue
    }
    state.runs[slot].clearPending()
    return .made
  }

  /// Whether the execution is overdue after work on further objects. Reads the clock once per `objectsBetweenChecks`
  /// objects.
  func isOverdue(after objects: Int) -> Bool {
    if context.isOverdue { return true }
    uncheckedObjects += objects
    guard uncheckedObjects >= Self.objectsBetweenChecks else { return false }
    uncheckedObjects = 0
    return context.checkTime()
  }

  /// A batch of the pending parents with the call's arguments. If the arguments cannot be coerced, every parent gets
  /// the error.
  func batch(_ slot: Int) -> Batch? {
    let call = plan.loads[slot]
    switch arguments(of: call) {
    case .success(let arguments):
      return Batch(
        of: call,
        slot: slot,
        arguments: arguments,
        state: state,
        context: context
      )
    case .failure(let error):
      fail(slot, with: FieldFailure(error))
      state.runs[slot].clearPending()
      return nil
    }
  }

  /// Records the same field error for every pending parent.
  func fail(_ slot: Int, with failure: FieldFailure) {
    let token = RunToken.error(state.fail(failure))
    state.runs[slot].putForAllPending(token)
  }

  /// The failure of a field for an error thrown by its resolver.
  func failure(_ error: any Error, at coordinate: String) -> FieldFailure {
    FieldFailure(context.clientError(for: error, at: coordinate))
  }

  // MARK: Calls that return leaves

  /// Resolves a leaf for every object of a set that does not have it yet.
  func make(_ slot: Int, of set: Int) -> CallProgress {
    let call = plan.leaves[slot]
    guard case .leaf(_, _, let make) = call.binding else { return .made }
    var progress = CallProgress.made
    for row in rowsWithout(slot, in: set) {
      if let abortFailure {
        state.leaves[slot].set(CellCoding.error(state.fail(abortFailure)), row: row)
        continue
      }
      uncheckedObjects += 1
      if uncheckedObjects >= Self.objectsBetweenChecks, isOverdue(after: 0) { return .overdue }
      guard let view = view(of: row, for: call, slot) else { continue }
      if readsInPasses { context.beginPass() }
      let value = Result { try make(view) }
      if readsInPasses, context.endPass() {
        if context.isOverdue { return .overdue }
        progress = .unanswered
        continue
      }
      do {
        state.leaves[slot].set(
          try ResultCoercion.cell(for: try value.get(), of: call.type, in: executable.schema, state),
          row: row
        )
      } catch {
        if context.isOverdue { return .overdue }
        state.leaves[slot].set(CellCoding.error(state.fail(failure(error, at: call.coordinate))), row: row)
      }
    }
    return progress
  }

  func rowsWithout(_ leaf: Int, in set: Int) -> [Int] {
    state.batches[set].rows.indices.map { Int(state.batches[set].rows[$0]) }.filter { !state.leaves[leaf].isMade($0) }
  }

  /// The object for which a leaf is resolved. If the arguments cannot be coerced, records the error as the leaf and
  /// returns nil.
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
      state.leaves[slot].set(CellCoding.error(state.fail(FieldFailure(error))), row: row)
      return nil
    }
  }

  // MARK: Arguments

  func arguments(of call: FieldCall) -> Result<Arguments, ArgumentError> {
    switch call.arguments {
    case .constant(let arguments): return .success(arguments)
    case .dynamic(let slot, let given):
      if let known = state.arguments[slot] { return known }
      let coerced: Result<Arguments, ArgumentError>
      do {
        coerced = .success(try ArgumentCoercion.coerce(given, with: variables, in: self))
      } catch {
        coerced = .failure(error)
      }
      state.arguments[slot] = coerced
      return coerced
    }
  }

  /// The cost with the variables of the request.
  var cost: OperationCost { CostAnalysis.cost(of: plan) { call in try? arguments(of: call).get() } }

  /// Fails if the operation is too expensive with these variables, or if a required slicing argument is missing. The
  /// cost of an operation that does not depend on variables was checked when it was planned.
  func checkCost() throws(GraphQLError) {
    guard plan.costDependsOnVariables else { return }
    try SlicingArguments.check(plan, of: operation.document, variables)
    if let error = cost.error(ifOver: operation.limits.cost) { throw error }
  }
}

extension Execution: LiteralContext {
  var literals: LiteralCoercion {
    LiteralCoercion(schema: executable.schema, document: operation.document, variables: variables)
  }
}
