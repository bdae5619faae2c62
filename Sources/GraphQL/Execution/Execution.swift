import Bytes

/// One execution of one plan, level by level. A class, since it is handed around and is all references: a copy would count
/// every one of them.
final class Execution {
  let executable: ExecutableSchema
  let plan: OperationPlan
  let operation: PreparedOperation
  let variables: VariableValues
  let context: any ExecutionContext
  let state: ExecutionState
  let onError: ErrorBehavior
  let limits: ExecutionLimits
  /// What a subscription is executed for: the root object's value.
  private let event: (any Sendable)?

  init(
    executable: ExecutableSchema,
    plan: OperationPlan,
    operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    state: ExecutionState,
    onError: ErrorBehavior,
    limits: ExecutionLimits,
    event: (any Sendable)?
  ) {
    self.executable = executable
    self.plan = plan
    self.operation = operation
    self.variables = variables
    self.context = context
    self.state = state
    self.onError = onError
    self.limits = limits
    self.event = event
  }

  /// Specification, sections 6.2.1 and 6.2.3, `ExecuteQuery`: by levels, so that each costs one load of a kind.
  func normally() async -> ByteBuffer {
    beginAtRoot()
    var walk = LevelWalk([0], of: plan)
    while let call = advance(&walk) { await make(call) }
    return written()
  }

  /// The same for a plan of which nothing waits.
  func atOnce() -> ByteBuffer {
    beginAtRoot()
    var walk = LevelWalk([0], of: plan)
    let waiting = advance(&walk)
    precondition(waiting == nil, "A plan that waits is executed normally.")
    return written()
  }

  private func beginAtRoot() {
    let table = plan.sets[0].type.index
    state.batches[0].insert(
      event.map { state.tables[table].add(value: $0) } ?? state.tables[table].add(unkeyed: 0)
    )
  }

  private func written() -> ByteBuffer {
    var writer = ResponseWriter(self, ByteBuffer(capacity: operation.expectedBytes))
    writer.writeData()
    let response = writer.finish()
    operation.expect(response.count)
    return response
  }

  /// Specification, section 6.2.2, `ExecuteMutation`: one root field after the other, each written before the next
  /// changes what it shows.
  func serially() async -> ByteBuffer {
    let root = plan.sets[0]
    var output = ByteBuffer(capacity: 1024)
    output.append("{\"data\":{")
    let dataStart = output.count - 1
    var isNull = false
    var errors = ResponseErrors(limit: limits.errors)
    for place in root.operations {
      if place > root.operations.lowerBound {
        state.removeAll(of: plan)
        state.prepare(for: plan)
      }
      beginAtRoot()
      var walk = LevelWalk(rootField: plan.operations[place], of: plan)
      while let call = advance(&walk) { await make(call) }
      var writer = ResponseWriter(self, output, errors)
      let isWritten = writer.writeRootField(place)
      let isOverfull = writer.isOverfull
      errors = writer.errors
      output = writer.output()
      if isOverfull { return ErrorResponse.tooLarge(limits.responseBytes) }
      if !isWritten {
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
    ErrorResponse.append(errors.list, to: &output)
    output.append("}")
    return output
  }

  // MARK: Levels

  /// Goes on until there is a call that waits, which whoever asks has to make, or until everything is collected.
  private func advance(_ walk: inout LevelWalk) -> WaitingCall? {
    while true {
      while let leaf = walk.takeLeaf() {
        if plan.leaves[leaf.slot].waits { return .leaf(leaf.slot, set: leaf.set) }
        make(leaf.slot, of: leaf.set)
      }
      if walk.nextCall == 0 { askForObjects(walk.calls) }
      while let (field, _) = walk.takeCall() {
        // Another place of the level may have had the call made.
        guard !state.runs[field.load].pending.isEmpty else { continue }
        if plan.loads[field.load].waits { return .objects(field.load) }
        makeCall(field.load)
      }
      loadWanted()
      var level: [Int] = []
      for (field, set) in walk.calls { formBatches(of: field, in: set, &level) }
      guard !level.isEmpty else { return nil }
      walk = LevelWalk(level, of: plan)
    }
  }

  /// Hands the objects of a level to the calls that are asked of them: each call is then made once for all of them.
  private func askForObjects(_ calls: [LevelWalk.Call]) {
    for (field, set) in calls {
      for place in state.batches[set].rows.indices {
        state.runs[field.load].ask(for: Int(state.batches[set].rows[place]))
      }
    }
  }

  /// Puts what a field gave into the batches of its sets, and adds to `next` the sets that have a first object by that.
  private func formBatches(of field: CompositeField, in set: Int, _ next: inout [Int]) {
    let parents = set
    switch field.sets {
    case .one(let type, let set):
      let wasEmpty = state.batches[set].rows.isEmpty
      for place in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[place])) { token in
          guard token.type == type, state.tables[type].isLoaded(token.row) else { return missing(token, field) }
          state.batches[set].insert(token.row)
          return token
        }
      }
      if wasEmpty && !state.batches[set].rows.isEmpty { next.append(set) }
    case .byType(let start):
      for place in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[place])) { token in
          let set = Int(plan.setsByType[start + token.type])
          guard set >= 0, state.tables[token.type].isLoaded(token.row) else { return missing(token, field) }
          if state.batches[set].rows.isEmpty { next.append(set) }
          state.batches[set].insert(token.row)
          return token
        }
      }
    }
  }

  /// What stands for an object that is not there, or that cannot be given here.
  private func missing(_ token: RunToken, _ field: CompositeField) -> RunToken {
    switch state.tables[token.type].presence(token.row) {
    case .absent: return .null
    case .failed(let failure): return .error(failure)
    case .present:
      let coordinate = plan.fields[field.field].coordinate
      let error = ResultError("\(coordinate) gave an object of a type that it cannot give.")
      context.report(error, at: coordinate)
      return .error(state.fail(FieldFailure(message: error.message, code: .internalError)))
    }
  }
}
