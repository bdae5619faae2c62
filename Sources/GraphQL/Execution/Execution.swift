import Basics
import Bytes

/// One execution of a plan. Selection sets are executed breadth-first, level by level. It is a class because it
/// consists of references: copying a struct would retain each of them.
package final class Execution {
  let plan: OperationPlan
  let operation: PreparedOperation
  var executable: ExecutableSchema { plan.executable }
  let variables: VariableValues
  let context: any ExecutionContext
  let memory: ExecutionMemory
  let state: ExecutionState
  let onError: ErrorBehavior
  let limits: ExecutionLimits
  /// The event for which a subscription is executed: the root object's value.
  private let event: EventValue?
  /// The expected size of the response, based on previous responses to the operation.
  let expectedBytes: Int
  /// The number of objects resolved since the clock was last read.
  var uncheckedObjects = 0
  static let objectsBetweenChecks = 1_000
  /// The error of all remaining calls, of a mutation those of its current root field: the worker queue is full, the
  /// caller is not who it was taken for, or there were too many passes.
  var abortFailure: FieldFailure?
  /// Whether resolvers are called in passes: see `ExecutionContext.answersAtOnce`.
  var readsInPasses = false
  /// The response written so far, while it is passed between threads, or between the root fields of a mutation.
  var response: ByteBuffer?
  var errors: ResponseErrors
  var outcome = WriteOutcome.null
  /// The time that a query has taken on the event loop between the answers that it waited for, or that the root fields
  /// of a mutation have taken that did not wait. In nanoseconds.
  package internal(set) var timeBetweenAnswers: UInt64 = 0
  var pause: Pause?
  /// Nil if the request is not traced, and after its response or the first part of it.
  package var trace: RequestTrace?
  /// What is delivered after the initial response. Nil if the response is complete.
  let delivery: IncrementalDelivery?
  /// Nil unless the levels are measured.
  let levelTimes: LevelTimes?

  init(
    memory: ExecutionMemory,
    plan: OperationPlan,
    operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior,
    limits: ExecutionLimits,
    format: IncrementalFormat?,
    event: EventValue?,
    levelTimes: LevelTimes?
  ) {
    // What is read of a reference is read before it is stored, which would otherwise retain it once more.
    delivery = plan.incremental.map { IncrementalDelivery($0, format: format ?? .current, limits: limits) }
    expectedBytes = operation.expectedBytes
    trace = context.trace
    let state = memory.state
    state.prepare(for: plan)
    self.state = state
    self.levelTimes = levelTimes
    self.plan = plan
    self.operation = operation
    self.variables = variables
    self.context = context
    self.memory = memory
    self.onError = onError
    self.limits = limits
    self.event = event
    errors = ResponseErrors(limit: limits.errors)
  }

  /// Executes a plan without asynchronous resolvers (specification, sections 6.2.1 and 6.2.3, `ExecuteQuery`), level by
  /// level, so that each level needs one load per type of object. Returns nil if the execution is overdue; its results
  /// are then unusable.
  ///
  /// - Parameter canMoveOffLoop: Whether it is overdue when the response is long.
  func executeSynchronously(canMoveOffLoop: Bool = true) -> ByteBuffer? {
    insertRootObject()
    memory.walk.beginRoot(of: plan)
    levelTimes?.begin(memory.walk, isRoot: true, objects: 1, of: plan)
    switch advance(&memory.walk) {
    case nil: return writeResponse(canMoveOffLoop: canMoveOffLoop)
    case .overdue: return nil
    case .waiting, .unanswered: preconditionFailure("An execution that has to wait is completed by `finish`.")
    }
  }

  /// Executes a plan that `executeSynchronously` could not. Throws if there is no response to a query or event at the
  /// moment; mutations do not throw.
  func finish() async throws(GraphQLError) -> ByteBuffer {
    if plan.operationType == .mutation { return await executeSerially() }
    if let delivery { return await executeIncrementally(delivery) }
    if plan.isAsync { return try await executeAsynchronously() }
    if !context.answersAtOnce, !context.startsOffLoop {
      if let response = try await executeInPasses() { return response }
      context.willSuspend()
    }
    return try await executeOffLoop()
  }

  private func executeAsynchronously() async throws(GraphQLError) -> ByteBuffer {
    insertRootObject()
    memory.walk.beginRoot(of: plan)
    await resolveLevels()
    if let response = writeResponse() { return response }
    return try await writeResponseOffLoop()
  }

  /// Executes a plan without asynchronous resolvers in one snapshot, in passes. Returns nil if that is overdue.
  private func executeInPasses() async throws(GraphQLError) -> ByteBuffer? {
    var start = MonotonicClock.nanoseconds
    begin()
    while true {
      if let pause { guard case .unanswered = pause else { return nil } }
      timeBetweenAnswers += MonotonicClock.nanoseconds - start
      do throws(FieldError) {
        // Also without missing data: the context may have to find out whether the caller is who it was.
        try await context.answers(canBeginAgain: true)
        start = MonotonicClock.nanoseconds
        guard pause != nil else { break }
        pause = advanceAfterAnswers()
      } catch {
        // Executing the event without a caller would only log that its object is missing.
        if event != nil, let unread = context.unreadCaller { throw GraphQLError(unread) }
        // The caller is not who it was taken for, or the snapshot is lost. The context finds out each of them once.
        start = MonotonicClock.nanoseconds
        discardResults()
        levelTimes?.removeAll()
        begin()
      }
    }
    memory.walk.end()
    let written = writeResponse()
    timeBetweenAnswers += MonotonicClock.nanoseconds - start
    if let written { return written }
    return try await writeResponseOffLoop()
  }

  private func begin() {
    insertRootObject()
    memory.walk.beginRoot(of: plan)
    levelTimes?.begin(memory.walk, isRoot: true, objects: 1, of: plan)
    pause = advance(&memory.walk)
  }

  private func writeResponseOffLoop() async throws(GraphQLError) -> ByteBuffer {
    try await respondOffLoop { $0.response = $0.writeResponse(isRepeated: true) }
  }

  /// Executes the whole plan again from the start on a worker thread, in one snapshot.
  private func executeOffLoop() async throws(GraphQLError) -> ByteBuffer {
    discardResults()
    levelTimes?.removeAll()
    return try await respondOffLoop { $0.response = $0.executeSynchronously(canMoveOffLoop: false) }
  }

  private func respondOffLoop(
    _ work: @escaping @Sendable (Execution) -> Void
  ) async throws(GraphQLError) -> ByteBuffer {
    do throws(FieldError) {
      try await offLoop(work)
    } catch {
      throw GraphQLError(error)
    }
    guard let response = response.take() else { throw .internalError }
    return response
  }

  func offLoop(_ work: @escaping @Sendable (Execution) -> Void) async throws(FieldError) {
    // The worker has exclusive access to the execution until it returns.
    nonisolated(unsafe) let execution = self
    try await context.runOffLoop { work(execution) }
  }

  /// Discards what was resolved, so that the plan, or another root field of a mutation, can be executed from its start.
  func discardResults() {
    state.removeAll(of: plan)
    state.prepare(for: plan)
    abortFailure = nil
  }

  func insertRootObject() {
    trace?.beginLevels()
    let table = plan.sets[0].type.index
    let row =
      event.map { state.tables[table].add(value: $0.value, listing: &state.usedTypes) }
      ?? state.tables[table].add(unkeyed: 0, listing: &state.usedTypes)
    state.insert(row, of: table, into: 0)
  }

  /// Calls `body` with a view of what was resolved, which is only valid within `body`. A method of the execution,
  /// because the writer would retain its plan and its memory.
  func withView(_ body: (borrowing ResponseView) -> Bool) -> Bool { ResponseView.with(plan, in: memory, body) }

  /// Writes the response. Returns nil if writing is overdue. `isRepeated` is true for the second attempt.
  private func writeResponse(canMoveOffLoop: Bool = true, isRepeated: Bool = false) -> ByteBuffer? {
    var writer = ResponseWriter(
      self,
      output: ByteBuffer(capacity: expectedBytes),
      canMoveOffLoop: canMoveOffLoop && !context.isOffLoop && !isRepeated,
      isRepeated: isRepeated
    )
    writer.writeData()
    return writer.isOverdue ? nil : writer.finish()
  }
}
