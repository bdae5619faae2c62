import Bytes

/// Executes planned operations (specification, section 6). One for each loop and confined to it.
package final class Executor {
  let executable: ExecutableSchema
  private let limits: ExecutionLimits
  private var idle: [ExecutionState] = []
  /// How many states are kept for later requests: as many as wait for one commit together on a busy server.
  private static let maximumIdle = 64

  package init(_ executable: ExecutableSchema, limits: ExecutionLimits = ExecutionLimits()) {
    self.executable = executable
    self.limits = limits
  }

  /// Executes an operation as far as it goes without waiting. `variables` are already coerced to the operation's
  /// definitions; `event` is what a subscription is executed for.
  package func start(
    _ operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate,
    event: (any Sendable)? = nil
  ) -> ExecutionStart {
    do {
      let plan = try operation.plan(for: variables, executable)
      let startsHere = plan.operationType != .mutation && !plan.isAsync && !context.startsOffLoop
      if startsHere, let constant = plan.constantResponse,
        constant.count <= min(ResponseWriter.maximumBytesOnLoop, limits.responseBytes)
      {
        var response = ByteBuffer(capacity: constant.count)
        response.append(constant)
        return .response(response)
      }
      let execution = try begin(plan, operation, variables, context, onError, event: event)
      guard startsHere, let response = execution.executeSynchronously() else { return .waiting(execution) }
      operation.recordResponseSize(response.count)
      end(execution)
      return .response(response)
    } catch {
      return .response(ErrorResponse.bytes([error]))
    }
  }

  /// The response of an execution that `start` could not finish.
  package func finish(_ execution: Execution) async -> ByteBuffer {
    let response = await execution.finish()
    execution.operation.recordResponseSize(response.count)
    end(execution)
    return response
  }

  /// What keeps an operation from being executed with these variables: how large it is, what it may cost.
  package func requestError(
    for operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext
  ) -> GraphQLError? {
    do {
      let plan = try operation.plan(for: variables, executable)
      end(try begin(plan, operation, variables, context, .propagate))
      return nil
    } catch {
      return error
    }
  }

  func begin(
    _ plan: OperationPlan,
    _ operation: PreparedOperation,
    _ variables: VariableValues,
    _ context: any ExecutionContext,
    _ onError: ErrorBehavior,
    event: (any Sendable)? = nil
  ) throws(GraphQLError) -> Execution {
    let state = idle.popLast() ?? ExecutionState(executable)
    state.prepare(for: plan)
    let execution = Execution(
      executable: executable,
      plan: plan,
      operation: operation,
      variables: variables,
      context: context,
      state: state,
      onError: onError,
      limits: limits,
      event: event
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
    let state = execution.state
    state.removeAll(of: execution.plan)
    if idle.count < Self.maximumIdle && !state.hasGrown { idle.append(state) }
  }
}
