import Bytes

/// Executes planned operations (specification, section 6). Each event loop has its own executor.
package final class Executor {
  let executable: ExecutableSchema
  private let limits: ExecutionLimits
  private var idle: [ExecutionMemory] = []
  /// The maximum number of memories kept for later requests: as many as mutations share a group commit at most. A new
  /// one costs as many instructions as half of a mutation.
  private static let maximumIdle = 256
  /// The maximum if the memory is large, so that a burst of large requests does not keep what it used.
  private static let maximumIdleLarge = 16

  package init(_ executable: ExecutableSchema, limits: ExecutionLimits = ExecutionLimits()) {
    self.executable = executable
    self.limits = limits
  }

  /// Executes an operation as far as possible without suspending. `variables` must be coerced to the operation's
  /// definitions. `event` is the value for which a subscription is executed. `incremental` is the format of incremental
  /// delivery; nil if the client accepts only a complete response. `levelTimes` receives the times of the levels.
  ///
  /// - Throws: The request error that prevents the operation from being executed with these variables.
  package func start(
    _ operation: PreparedOperation,
    variables: consuming VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate,
    incremental: IncrementalFormat? = nil,
    event: EventValue? = nil,
    levelTimes: LevelTimes? = nil
  ) throws(GraphQLError) -> ExecutionStart {
    let plan = try operation.plan(for: variables, isIncremental: incremental != nil)
    let startsHere =
      plan.operationType != .mutation && !plan.isAsync && plan.incremental == nil && !context.startsOffLoop
    if startsHere, let constant = plan.constantResponse,
      constant.count <= min(ResponseWriter.maximumBytesOnLoop, limits.responseBytes)
    {
      return .response(ByteBuffer(constant))
    }
    let execution = try begin(
      consume plan,
      operation: operation,
      variables: variables,
      in: context,
      onError: onError,
      incremental: incremental,
      event: event,
      levelTimes: levelTimes
    )
    guard startsHere, context.answersAtOnce, let response = execution.executeSynchronously() else {
      return .waiting(execution)
    }
    operation.recordResponseSize(response.count)
    end(execution)
    return .response(response)
  }

  /// Completes an execution that `start` could not complete, and returns the response. If `Execution.hasNext` is true
  /// then, it is the initial part of the response, and `nextPart` returns the others.
  ///
  /// - Throws: The error because of which there is no response at the moment. Nothing was changed: mutations do not
  ///   throw.
  package func finish(_ execution: Execution) async throws(GraphQLError) -> ByteBuffer {
    do throws(GraphQLError) {
      let response = try await execution.finish()
      if execution.hasNext { return response }
      execution.operation.recordResponseSize(response.count)
      end(execution)
      return response
    } catch {
      end(execution)
      throw error
    }
  }

  /// The next part of a response that is delivered incrementally. Call it while `Execution.hasNext` is true.
  package func nextPart(of execution: Execution) async -> ByteBuffer {
    let part = await execution.nextPart()
    if !execution.hasNext { end(execution) }
    return part
  }

  /// Ends a response that is delivered incrementally, and returns its last part: everything that is pending fails.
  package func lastPart(of execution: Execution, error: GraphQLError) -> ByteBuffer {
    let part = execution.lastPart(error)
    end(execution)
    return part
  }

  /// The request error that prevents an operation from being executed with these variables, such as an exceeded size or
  /// cost limit.
  package func requestError(
    for operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext
  ) -> GraphQLError? {
    do {
      let plan = try operation.plan(for: variables)
      end(try begin(plan, operation: operation, variables: variables, in: context, onError: .propagate))
      return nil
    } catch {
      return error
    }
  }

  /// The cost of an operation with these variables; nil if it cannot be executed with them.
  package func cost(
    of operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext
  ) -> OperationCost? {
    guard let plan = try? operation.plan(for: variables) else { return nil }
    guard plan.costDependsOnVariables else {
      return CostAnalysis.cost(of: plan) { $0.constantArguments }
    }
    guard let execution = try? begin(plan, operation: operation, variables: variables, in: context, onError: .propagate)
    else { return nil }
    defer { end(execution) }
    return execution.cost
  }

  func begin(
    _ plan: consuming OperationPlan,
    operation: PreparedOperation,
    variables: consuming VariableValues,
    in context: any ExecutionContext,
    onError: ErrorBehavior,
    incremental: IncrementalFormat? = nil,
    event: EventValue? = nil,
    levelTimes: LevelTimes? = nil
  ) throws(GraphQLError) -> Execution {
    // Neither the plan nor the memory has a name in the scope of the execution, for which it would be retained.
    let execution = Execution(
      memory: idle.popLast() ?? ExecutionMemory(executable),
      plan: consume plan,
      operation: operation,
      variables: variables,
      context: context,
      onError: onError,
      limits: limits,
      format: incremental,
      event: event,
      levelTimes: levelTimes
    )
    do {
      try execution.checkCost()
    } catch {
      end(execution)
      throw error
    }
    return execution
  }

  func end(_ execution: Execution) {
    execution.memory.walk.end()
    execution.state.removeAll(of: execution.plan)
    let maximum = execution.state.isLarge ? Self.maximumIdleLarge : Self.maximumIdle
    if idle.count < maximum && !execution.state.hasGrown { idle.append(execution.memory) }
  }
}
