import Bytes

/// Executes planned operations (specification, section 6). Each event loop has its own executor.
package final class Executor {
  let executable: ExecutableSchema
  private let limits: ExecutionLimits
  private var idle: [ExecutionState] = []
  /// The maximum number of execution states kept for later requests: about as many as share a group commit on a busy
  /// server.
  private static let maximumIdle = 64

  package init(_ executable: ExecutableSchema, limits: ExecutionLimits = ExecutionLimits()) {
    self.executable = executable
    self.limits = limits
  }

  /// Executes an operation as far as possible without suspending. `variables` must be coerced to the operation's
  /// definitions. `event` is the value for which a subscription is executed.
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
      guard startsHere, context.answersAtOnce, let response = execution.executeSynchronously() else {
        return .waiting(execution)
      }
      operation.recordResponseSize(response.count)
      end(execution)
      return .response(response)
    } catch {
      return .response(ErrorResponse.bytes([error]))
    }
  }

  /// Completes an execution that `start` could not complete, and returns the response.
  package func finish(_ execution: Execution) async -> ByteBuffer {
    let response = await execution.finish()
    execution.operation.recordResponseSize(response.count)
    end(execution)
    return response
  }

  /// The request error that prevents an operation from being executed with these variables, such as an exceeded size or
  /// cost limit.
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

  /// The field cost of an operation with these variables; nil if it cannot be executed with them.
  package func cost(
    of operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext
  ) -> Int? {
    guard let plan = try? operation.plan(for: variables, executable) else { return nil }
    guard plan.costDependsOnVariables else {
      return Int(CostAnalysis.cost(of: plan) { $0.constantArguments }.fields)
    }
    guard let execution = try? begin(plan, operation, variables, context, .propagate) else { return nil }
    defer { end(execution) }
    return Int(execution.cost.fields)
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
