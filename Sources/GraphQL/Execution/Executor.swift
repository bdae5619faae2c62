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

  /// The whole answer as JSON. `variables` are already coerced to the operation's definitions.
  package func execute(
    _ operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate
  ) async -> ByteBuffer {
    let execution: Execution
    do {
      execution = try begin(operation, variables, context, onError)
    } catch {
      return ErrorResponse.bytes([error])
    }
    let response = await execute(execution)
    operation.expect(response.count)
    end(execution)
    return response
  }

  func execute(_ execution: Execution) async -> ByteBuffer {
    if execution.plan.operationType == .mutation { return await execution.serially() }
    if execution.plan.waits { return await execution.normally() }
    if !execution.context.startsOffLoop, let response = execution.atOnce() { return response }
    return await execution.offLoop()
  }

  /// The same for a query of which no field waits and that does not take long; nil for any other, which is then to be
  /// executed from its beginning.
  package func executeAtOnce(
    _ operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior = .propagate
  ) -> ByteBuffer? {
    guard operation.type == .query else { return nil }
    do {
      let plan = try operation.plan(for: variables, executable)
      guard !plan.waits, !context.startsOffLoop else { return nil }
      if let answer = plan.constantAnswer, answer.count <= ResponseWriter.maximumBytesOnLoop {
        var response = ByteBuffer(capacity: answer.count)
        response.append(answer)
        return response
      }
      let execution = try begin(operation, variables, context, onError)
      defer { end(execution) }
      guard let response = execution.atOnce() else { return nil }
      operation.expect(response.count)
      return response
    } catch {
      return ErrorResponse.bytes([error])
    }
  }

  /// What keeps an operation from being executed with these variables: how large it is, what it may cost.
  package func refusal(
    of operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext
  ) -> GraphQLError? {
    do {
      end(try begin(operation, variables, context, .propagate))
      return nil
    } catch {
      return error
    }
  }

  /// `event` is what a subscription is executed for.
  func begin(
    _ operation: PreparedOperation,
    _ variables: VariableValues,
    _ context: any ExecutionContext,
    _ onError: ErrorBehavior,
    event: (any Sendable)? = nil
  ) throws(GraphQLError) -> Execution {
    let plan = try operation.plan(for: variables, executable)
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
