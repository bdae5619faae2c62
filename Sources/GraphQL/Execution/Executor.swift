import Bytes

/// Executes planned operations (specification, section 6). One for each loop and confined to it.
package final class Executor {
  let executable: ExecutableSchema
  private let limits: ExecutionLimits
  private var idle: [ExecutionState] = []
  /// How many states are kept for later requests.
  private static let maximumIdle = 16

  package init(_ executable: ExecutableSchema, limits: ExecutionLimits = ExecutionLimits()) {
    self.executable = executable
    self.limits = limits
  }

  /// The whole answer as JSON. `variables` are already coerced to the operation's definitions.
  package func execute(
    _ operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate
  ) async -> ByteBuffer {
    let plan: OperationPlan
    do {
      plan = try operation.plan(for: variables, executable)
    } catch {
      return ErrorResponse.bytes([error])
    }
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
      limits: limits
    )
    let response: ByteBuffer
    if let excess = execution.excessiveCost() {
      response = ErrorResponse.bytes([excess])
    } else if plan.operationType == .mutation {
      response = await execution.serially()
    } else {
      response = await execution.normally()
    }
    state.removeAll(of: plan)
    if idle.count < Self.maximumIdle && !state.hasGrown { idle.append(state) }
    return response
  }
}
