import Bytes
import JSON

/// Specification, section 6.2.3.
extension Executor {
  /// `CreateSourceEventStream`.
  package func source(
    of operation: PreparedOperation,
    variables: VariableValues,
    resume: String?,
    context: any ExecutionContext
  ) throws(GraphQLErrors) -> SourceStream {
    do throws(GraphQLError) {
      let plan = try operation.plan(for: variables, executable)
      let execution = try begin(operation, variables, context, .propagate)
      defer { end(execution) }
      guard operation.type == .subscription, let field = plan.fields.first(where: { $0.call?.parentType == plan.root }),
        let call = field.call, let binding = executable.sources[call.name]
      else {
        throw GraphQLError("This is not a subscription.", code: .validationFailed)
      }
      let location = field.nodes.map { operation.document.location($0) }
      switch execution.arguments(of: call) {
      case .failure(let error):
        throw GraphQLError(error.message, at: location, path: [.key(field.responseKey)], code: .badUserInput)
      case .success(let arguments):
        do {
          context.staysOnLoop = true
          defer { context.staysOnLoop = false }
          return try binding(arguments, resume, context)
        } catch {
          let failure = execution.failure(error, call.coordinate)
          throw GraphQLError(
            failure.message,
            at: location,
            path: [.key(field.responseKey)],
            code: failure.code,
            retryAfter: failure.retryAfter
          )
        }
      }
    } catch {
      throw GraphQLErrors([error])
    }
  }

  /// `ExecuteSubscriptionEvent`, where nothing waits and that does not take long; nil for any other, which is then to
  /// be executed from its beginning.
  func executeAtOnce(
    _ event: SourceEvent,
    of operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior
  ) -> SubscriptionResponse? {
    do {
      guard try !operation.plan(for: variables, executable).waits, !context.startsOffLoop else { return nil }
      let execution = try begin(operation, variables, context, onError, event: event.value)
      defer { end(execution) }
      guard let response = execution.atOnce() else { return nil }
      return SubscriptionResponse(response, to: event, context)
    } catch {
      return SubscriptionResponse(ErrorResponse.bytes([error]), to: event, context)
    }
  }

  func execute(
    _ event: SourceEvent,
    of operation: PreparedOperation,
    variables: VariableValues,
    context: any ExecutionContext,
    onError: ErrorBehavior
  ) async -> SubscriptionResponse {
    do {
      let execution = try begin(operation, variables, context, onError, event: event.value)
      let response = await execute(execution)
      end(execution)
      return SubscriptionResponse(response, to: event, context)
    } catch {
      return SubscriptionResponse(ErrorResponse.bytes([error]), to: event, context)
    }
  }
}

extension OperationPlan {
  var root: TypeID { sets[0].type }
}
