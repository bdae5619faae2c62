/// Source streams of subscriptions (specification, section 6.2.3).
extension Executor {
  /// Creates the source stream of a subscription (`CreateSourceEventStream`).
  package func source(
    of operation: PreparedOperation,
    variables: VariableValues,
    resume: String?,
    context: any ExecutionContext
  ) async throws(GraphQLErrors) -> SourceStream {
    do throws(GraphQLError) {
      let plan = try operation.plan(for: variables)
      let execution = try begin(plan, operation: operation, variables: variables, in: context, onError: .propagate)
      defer { end(execution) }
      guard operation.type == .subscription,
        let (field, bound) = plan.sourceField, let binding = executable.sources[bound.name]
      else {
        throw GraphQLError("This is not a subscription.", code: .validationFailed)
      }
      let location = operation.document.locations(field.nodes)
      switch plan.call(of: field).map(execution.arguments) ?? .success(.none) {
      case .failure(let error):
        throw GraphQLError(error.message, at: location, path: [.key(plan.responseKey(of: field))], code: .badUserInput)
      case .success(let arguments):
        do {
          var source = try await context.inPassesOnLoop { try binding(arguments, resume, context) }
          if !plan.dependsOnCaller { source.caller = nil }
          return source
        } catch {
          let error = context.clientError(for: error, at: bound.coordinate)
          throw GraphQLError(error, at: location, path: [.key(plan.responseKey(of: field))])
        }
      }
    } catch {
      throw GraphQLErrors([error])
    }
  }
}

extension ExecutionContext {
  /// Calls `body` without a time limit on the event loop.
  func onLoop<Result>(_ body: () throws -> Result) rethrows -> Result {
    staysOnLoop = true
    defer { staysOnLoop = false }
    return try body()
  }

  /// Calls `body` in passes, without a time limit on the event loop.
  func inPassesOnLoop<Result>(_ body: () throws -> Result) async throws -> Result {
    staysOnLoop = true
    defer { staysOnLoop = false }
    return try await inPasses(body)
  }
}

extension OperationPlan {
  var root: TypeID { sets[0].type }

  /// The root field that provides the events of a subscription.
  var sourceField: (planned: FieldPlan, bound: BoundField)? {
    for field in fields {
      if let bound = boundField(of: field), bound.parentType == root { return (field, bound) }
    }
    return nil
  }
}
