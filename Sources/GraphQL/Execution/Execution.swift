import Bytes

/// One execution of one plan, level by level. A class, since it is handed around and is all references: a copy would
/// count every one of them.
package final class Execution {
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
  /// What the last answers to the operation lead to expect.
  private let expectedBytes: Int
  /// Objects that calls were made for since the clock was last read.
  var uncheckedObjects = 0
  static let objectsBetweenChecks = 1_000
  /// Why no further call is made: the execution is overdue, and too much waits off the loop.
  private(set) var givenUp: FieldFailure?
  /// What has been written, when it is handed to another thread or comes from there; of a mutation also between fields.
  private var response: ByteBuffer?
  private var errors: ResponseErrors
  private var outcome = WriteOutcome.null
  private var walk = LevelWalk.done
  private var pause: Pause?

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
    expectedBytes = operation.expectedBytes
    errors = ResponseErrors(limit: limits.errors)
  }

  /// Specification, sections 6.2.1 and 6.2.3, `ExecuteQuery`: by levels, so that each costs one load of a kind. For a
  /// plan without fields that wait; nil when the execution is overdue, and nothing of it can be used.
  func atOnce() -> ByteBuffer? {
    beginAtRoot()
    var walk = LevelWalk([0], of: plan)
    switch advance(&walk) {
    case nil: return written()
    case .overdue: return nil
    case .waiting: preconditionFailure("A plan that waits is executed by `finish`.")
    }
  }

  /// Executes what `atOnce` could not.
  func finish() async -> ByteBuffer {
    if plan.operationType == .mutation { return await serially() }
    return plan.waits ? await waitingForFields() : await offLoop()
  }

  private func waitingForFields() async -> ByteBuffer {
    beginAtRoot()
    await collect(LevelWalk([0], of: plan))
    if let response = written() { return response }
    return await answerOffLoop { $0.response = $0.written(isRepeated: true) }
  }

  /// Executes the whole plan from its beginning on a thread that may take longer, in one snapshot.
  private func offLoop() async -> ByteBuffer {
    state.removeAll(of: plan)
    state.prepare(for: plan)
    return await answerOffLoop { $0.response = $0.atOnce() }
  }

  private func answerOffLoop(_ work: @escaping @Sendable (Execution) -> Void) async -> ByteBuffer {
    do throws(FieldError) {
      try await offLoop(work)
    } catch {
      return ErrorResponse.bytes([GraphQLError(error.message, code: error.code, retryAfter: error.retryAfter)])
    }
    return response.take() ?? ErrorResponse.bytes([GraphQLError(GraphQLError.ourFault, code: .internalError)])
  }

  private func offLoop(_ work: @escaping @Sendable (Execution) -> Void) async throws(FieldError) {
    // It is handed over whole, and comes back before anything here goes on.
    nonisolated(unsafe) let execution = self
    try await context.runOffLoop { work(execution) }
  }

  private func beginAtRoot() {
    let table = plan.sets[0].type.index
    state.batches[0].insert(
      event.map { state.tables[table].add(value: $0) } ?? state.tables[table].add(unkeyed: 0)
    )
  }

  /// Nil where writing it is overdue. `isRepeated` where that was so the first time.
  private func written(isRepeated: Bool = false) -> ByteBuffer? {
    var writer = ResponseWriter(
      self,
      ByteBuffer(capacity: expectedBytes),
      canLeave: !context.isOffLoop && !isRepeated,
      isRepeated: isRepeated
    )
    writer.writeData()
    return writer.isOverdue ? nil : writer.finish()
  }

  /// Specification, section 6.2.2, `ExecuteMutation`: one root field after the other, each written before the next
  /// changes what it shows. When the client has gone, no further field is started.
  private func serially() async -> ByteBuffer {
    let root = plan.sets[0]
    var output = ByteBuffer(capacity: 1024)
    output.append("{\"data\":{")
    let dataStart = output.count - 1
    response = consume output
    var isNull = false
    for place in root.operations {
      if place > root.operations.lowerBound {
        if Task.isCancelled {
          errors.append(cancellation(before: plan.operations[place]))
          isNull = true
          break
        }
        state.removeAll(of: plan)
        state.prepare(for: plan)
      }
      beginAtRoot()
      await collect(LevelWalk(rootField: plan.operations[place], of: plan))
      var outcome = write(rootField: place, canLeave: true)
      if outcome == .overdue { outcome = await writeOffLoop(rootField: place) }
      if outcome == .overfull { return ErrorResponse.tooLarge(limits.responseBytes) }
      if outcome == .null {
        isNull = true
        break
      }
    }
    output = response.take() ?? ByteBuffer()
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

  private enum WriteOutcome { case written, null, overfull, overdue }

  private func write(rootField place: Int, canLeave: Bool, isRepeated: Bool = false) -> WriteOutcome {
    let output = response.take() ?? ByteBuffer()
    let start = output.count
    var writer = ResponseWriter(self, output, errors, canLeave: canLeave, isRepeated: isRepeated)
    let isWritten = writer.writeRootField(place)
    let outcome: WriteOutcome =
      writer.isOverdue ? .overdue : writer.isOverfull ? .overfull : isWritten ? .written : .null
    if outcome != .overdue { errors = writer.errors }
    response = writer.output()
    if outcome == .overdue { response?.truncate(to: start) }
    return outcome
  }

  private func writeOffLoop(rootField place: Int) async -> WriteOutcome {
    outcome = .null
    do throws(FieldError) {
      try await offLoop { $0.outcome = $0.write(rootField: place, canLeave: false, isRepeated: true) }
    } catch {
      errors.append(GraphQLError(error.message, code: error.code, retryAfter: error.retryAfter))
    }
    return outcome
  }

  /// Root fields before it have been carried out, and this one has not.
  private func cancellation(before operation: WriteOperation) -> GraphQLError {
    let field = plan.fields[Int(operation.field)]
    return GraphQLError(
      "The client ended its connection before \"\(field.responseKey)\" was started.",
      at: field.nodes.map { self.operation.document.location($0) },
      path: [.key(field.responseKey)],
      code: .requestCancelled
    )
  }

  // MARK: Levels

  /// Collects all levels from where `walk` stands. What is overdue goes on off the loop, where it may see a later
  /// snapshot: so it is for mutations, and queries that wait, which do not have one snapshot in any case.
  private func collect(_ start: LevelWalk) async {
    walk = start
    pause = advance(&walk)
    while let reason = pause {
      switch reason {
      case .waiting(let calls):
        await make(calls)
        pause = advance(&walk)
      case .overdue:
        do throws(FieldError) {
          try await offLoop { $0.pause = $0.advance(&$0.walk) }
        } catch {
          givenUp = FieldFailure(error)
          context.isOverdue = false
          pause = advance(&walk)
        }
      }
    }
    walk = .done
  }

  /// Goes on until only calls that wait are left at a level, which the caller has to make, until the execution is
  /// overdue, or until everything is collected.
  private func advance(_ walk: inout LevelWalk) -> Pause? {
    while true {
      while let leaf = walk.takeLeaf() {
        if plan.leaves[leaf.slot].waits {
          walk.postpone(.leaf(leaf.slot, set: leaf.set))
          continue
        }
        guard make(leaf.slot, of: leaf.set) else {
          walk.putBackLeaf()
          return .overdue
        }
      }
      if walk.nextCall == 0 { askForObjects(walk.calls) }
      while let (field, _) = walk.takeCall() {
        // Another place of the level may have had the call made.
        guard !state.runs[field.load].pending.isEmpty else { continue }
        if plan.loads[field.load].waits {
          walk.postpone(.objects(field.load))
          continue
        }
        guard makeCall(field.load) else {
          walk.putBackCall()
          return .overdue
        }
      }
      let waiting = walk.takePostponed()
      guard waiting.isEmpty else { return .waiting(waiting) }
      guard loadWanted() else { return .overdue }
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
