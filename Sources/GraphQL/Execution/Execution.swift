import Bytes

/// One execution of a plan. Selection sets are executed breadth-first, level by level. A class because it consists of
/// references: copying a struct would retain each of them.
package final class Execution {
  let executable: ExecutableSchema
  let plan: OperationPlan
  let operation: PreparedOperation
  package var isMutation: Bool { plan.operationType == .mutation }
  let variables: VariableValues
  let context: any ExecutionContext
  let state: ExecutionState
  let onError: ErrorBehavior
  let limits: ExecutionLimits
  /// The event for which a subscription is executed: the root object's value.
  private let event: (any Sendable)?
  /// The expected size of the response, based on previous responses to the operation.
  private let expectedBytes: Int
  /// The number of objects resolved since the clock was last read.
  var uncheckedObjects = 0
  static let objectsBetweenChecks = 1_000
  /// The error of all remaining calls, if the execution is overdue and the worker queue is full.
  private(set) var abortFailure: FieldFailure?
  /// Whether resolvers are called in passes: see `ExecutionContext.answersAtOnce`.
  var readsInPasses = false
  /// The response written so far, while it is passed between threads, or between the root fields of a mutation.
  private var response: ByteBuffer?
  private var errors: ResponseErrors
  private var outcome = WriteOutcome.null
  private var walk = LevelWalk.done
  /// The time that a query has taken on the event loop between the answers that it waited for.
  package private(set) var timeBetweenAnswers = Duration.zero
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

  /// Executes a plan without asynchronous resolvers (specification, sections 6.2.1 and 6.2.3, `ExecuteQuery`), level by
  /// level, so that each level needs one load per type of object. Returns nil if the execution is overdue; its results
  /// are then unusable.
  func executeSynchronously() -> ByteBuffer? {
    insertRootObject()
    var walk = LevelWalk([0], of: plan)
    switch advance(&walk) {
    case nil: return writeResponse()
    case .overdue: return nil
    case .waiting, .unanswered: preconditionFailure("An execution that has to wait is completed by `finish`.")
    }
  }

  /// Executes a plan that `executeSynchronously` could not.
  func finish() async -> ByteBuffer {
    if plan.operationType == .mutation { return await executeSerially() }
    if plan.isAsync { return await executeAsynchronously() }
    if !context.answersAtOnce, !context.startsOffLoop {
      if let response = await executeInPasses() { return response }
      context.willSuspend()
    }
    return await executeOffLoop()
  }

  private func executeAsynchronously() async -> ByteBuffer {
    insertRootObject()
    await resolveLevels(LevelWalk([0], of: plan))
    if let response = writeResponse() { return response }
    return await writeResponseOffLoop()
  }

  /// Executes a plan without asynchronous resolvers in one snapshot, of which each level reads in passes. Returns nil
  /// if the execution is overdue.
  private func executeInPasses() async -> ByteBuffer? {
    let clock = ContinuousClock()
    var start = clock.now
    insertRootObject()
    walk = LevelWalk([0], of: plan)
    pause = advance(&walk)
    while let reason = pause {
      guard case .unanswered = reason else { return nil }
      timeBetweenAnswers += start.duration(to: clock.now)
      await context.answers()
      start = clock.now
      pause = advanceAfterAnswers()
    }
    walk = .done
    let written = writeResponse()
    timeBetweenAnswers += start.duration(to: clock.now)
    if let written { return written }
    return await writeResponseOffLoop()
  }

  private func writeResponseOffLoop() async -> ByteBuffer {
    await respondOffLoop { $0.response = $0.writeResponse(isRepeated: true) }
  }

  /// Executes the whole plan again from the start on a worker thread, in one snapshot.
  private func executeOffLoop() async -> ByteBuffer {
    state.removeAll(of: plan)
    state.prepare(for: plan)
    return await respondOffLoop { $0.response = $0.executeSynchronously() }
  }

  private func respondOffLoop(_ work: @escaping @Sendable (Execution) -> Void) async -> ByteBuffer {
    do throws(FieldError) {
      try await offLoop(work)
    } catch {
      return ErrorResponse.bytes([GraphQLError(error.message, code: error.code, retryAfter: error.retryAfter)])
    }
    return response.take()
      ?? ErrorResponse.bytes([GraphQLError(GraphQLError.internalErrorMessage, code: .internalError)])
  }

  private func offLoop(_ work: @escaping @Sendable (Execution) -> Void) async throws(FieldError) {
    // The worker has exclusive access to the execution until it returns.
    nonisolated(unsafe) let execution = self
    try await context.runOffLoop { work(execution) }
  }

  private func insertRootObject() {
    let table = plan.sets[0].type.index
    state.batches[0].insert(
      event.map { state.tables[table].add(value: $0, listing: &state.usedTypes) }
        ?? state.tables[table].add(unkeyed: 0, listing: &state.usedTypes)
    )
  }

  /// Writes the response. Returns nil if writing is overdue. `isRepeated` is true for the second attempt.
  private func writeResponse(isRepeated: Bool = false) -> ByteBuffer? {
    var writer = ResponseWriter(
      self,
      ByteBuffer(capacity: expectedBytes),
      canMoveOffLoop: !context.isOffLoop && !isRepeated,
      isRepeated: isRepeated
    )
    writer.writeData()
    return writer.isOverdue ? nil : writer.finish()
  }

  /// Executes root fields serially (specification, section 6.2.2, `ExecuteMutation`). Each field is written before the
  /// next one changes the data that it shows. When the client has disconnected, no further field is started.
  private func executeSerially() async -> ByteBuffer {
    let root = plan.sets[0]
    var output = ByteBuffer(capacity: 1024)
    output.append("{\"data\":{")
    let dataStart = output.count - 1
    response = consume output
    var isNull = false
    for index in root.operations {
      if index > root.operations.lowerBound {
        if Task.isCancelled {
          errors.append(cancellation(before: plan.operations[index]))
          isNull = true
          break
        }
        state.removeAll(of: plan)
        state.prepare(for: plan)
      }
      insertRootObject()
      await resolveLevels(LevelWalk(rootField: plan.operations[index], of: plan))
      var outcome = write(rootField: index, canMoveOffLoop: true)
      if outcome == .overdue { outcome = await writeOffLoop(rootField: index) }
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

  private func write(rootField index: Int, canMoveOffLoop: Bool, isRepeated: Bool = false) -> WriteOutcome {
    let output = response.take() ?? ByteBuffer()
    let start = output.count
    var writer = ResponseWriter(self, output, errors, canMoveOffLoop: canMoveOffLoop, isRepeated: isRepeated)
    let isWritten = writer.writeRootField(index)
    let outcome: WriteOutcome =
      writer.isOverdue ? .overdue : writer.isOverfull ? .overfull : isWritten ? .written : .null
    if outcome != .overdue { errors = writer.errors }
    response = writer.output()
    if outcome == .overdue { response?.truncate(to: start) }
    return outcome
  }

  private func writeOffLoop(rootField index: Int) async -> WriteOutcome {
    outcome = .null
    do throws(FieldError) {
      try await offLoop { $0.outcome = $0.write(rootField: index, canMoveOffLoop: false, isRepeated: true) }
    } catch {
      errors.append(GraphQLError(error.message, code: error.code, retryAfter: error.retryAfter))
    }
    return outcome
  }

  /// The error for a root field that was not started, although the fields before it have been executed.
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

  /// Resolves all levels from `start` on. If the execution is overdue, it continues off the event loop, where it may
  /// read a later snapshot. That is acceptable for mutations and asynchronous queries, which do not execute in one
  /// snapshot anyway.
  private func resolveLevels(_ start: LevelWalk) async {
    walk = start
    pause = advance(&walk)
    while let reason = pause {
      switch reason {
      case .waiting(let calls):
        await make(calls)
        pause = advance(&walk)
      case .unanswered:
        await context.answers()
        pause = advanceAfterAnswers()
      case .overdue:
        do throws(FieldError) {
          try await offLoop { $0.pause = $0.advance(&$0.walk) }
        } catch {
          abortFailure = FieldFailure(error)
          context.isOverdue = false
          pause = advance(&walk)
        }
      }
    }
    walk = .done
  }

  private func advanceAfterAnswers() -> Pause? {
    walk.beginNextPass()
    if walk.passes > Self.maximumPasses {
      abortFailure = failure(ResultError.tooManyPasses, at: plan.schema.types[plan.root.index].name)
    }
    return advance(&walk)
  }

  /// Resolves levels until only asynchronous calls are left on a level (the caller must make them), until data is
  /// missing, until the execution is overdue, or until everything is resolved.
  private func advance(_ walk: inout LevelWalk) -> Pause? {
    readsInPasses = !context.answersAtOnce
    while true {
      if !walk.unanswered.isEmpty, !repeatCalls(&walk) { return .overdue }
      while let leaf = walk.takeLeaf() {
        if plan.leaves[leaf.slot].isAsync {
          walk.postpone(.leaf(leaf.slot, set: leaf.set))
          continue
        }
        switch make(leaf.slot, of: leaf.set) {
        case .made: break
        case .unanswered: walk.repeatLater(.leaf(leaf.slot, set: leaf.set))
        case .overdue:
          walk.putBackLeaf()
          return .overdue
        }
      }
      if walk.nextCall == 0 { requestObjects(walk.calls) }
      while let (field, _) = walk.takeCall() {
        // Another selection on this level may have made the call.
        guard !state.runs[field.load].pending.isEmpty else { continue }
        if plan.loads[field.load].isAsync {
          walk.postpone(.objects(field.load))
          continue
        }
        switch makeCall(field.load) {
        case .made: break
        case .unanswered: walk.repeatLater(.objects(field.load))
        case .overdue:
          walk.putBackCall()
          return .overdue
        }
      }
      if readsInPasses {
        // Objects that other calls of the level refer to are loaded with the data that is missing.
        guard loadWantedInPasses(&walk) else { return .overdue }
        if !walk.unanswered.isEmpty { return .unanswered }
        context.forgetAnswers()
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

  /// Adds the objects of a level to the calls of their fields, so that each call is made once for all of them.
  private func requestObjects(_ calls: [LevelWalk.Call]) {
    for (field, set) in calls {
      for index in state.batches[set].rows.indices {
        state.runs[field.load].request(Int(state.batches[set].rows[index]))
      }
    }
  }

  /// Adds the objects that a field returned to the batches of its selection sets, and adds the sets that were empty
  /// before to `next`.
  private func formBatches(of field: CompositeField, in set: Int, _ next: inout [Int]) {
    let parents = set
    switch field.sets {
    case .one(let type, let set):
      let wasEmpty = state.batches[set].rows.isEmpty
      for index in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[index])) { token in
          guard token.type == type, state.tables[type].isLoaded(token.row) else { return missing(token, field) }
          state.batches[set].insert(token.row)
          return token
        }
      }
      if wasEmpty && !state.batches[set].rows.isEmpty { next.append(set) }
    case .byType(let start):
      for index in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[index])) { token in
          let set = Int(plan.setsByType[start + token.type])
          guard set >= 0, state.tables[token.type].isLoaded(token.row) else { return missing(token, field) }
          if state.batches[set].rows.isEmpty { next.append(set) }
          state.batches[set].insert(token.row)
          return token
        }
      }
    }
  }

  /// The replacement for an object that does not exist, could not be loaded, or has a type that the field cannot
  /// return.
  private func missing(_ token: RunToken, _ field: CompositeField) -> RunToken {
    switch state.tables[token.type].presence(token.row) {
    case .absent: return .null
    case .failed(let failure): return .error(failure)
    case .present:
      let coordinate = plan.fields[field.field].coordinate
      let error = ResultError("\(coordinate) returned an object of a type that it cannot return.")
      context.report(error, at: coordinate)
      return .error(state.fail(FieldFailure(message: error.message, code: .internalError)))
    }
  }
}
