import Bytes
import GraphQL
import HTTP

/// From a document and its variables to what is executed, whatever carries them.
extension GraphQLHandler {
  /// Executes one operation of an HTTP request: all of it, or one of its list.
  func execute(
    _ asked: GraphQLRequest,
    _ variables: InputValue,
    files: [UploadedFile] = [],
    of request: HTTPRequest
  ) async -> Outcome {
    metrics.count(.request)
    do {
      let context = try await service.context(for: Caller(request, address: service.address(of: request)), files)
      defer { service.finish(context) }
      switch prepare(asked, nil, variables, for: context) {
      case .failure(let refused): return .refused(refused)
      case .success(let (operation, coerced)):
        if operation.type == .subscription { return .refused(.notByHTTP) }
        if operation.type != .query && request.method != .post { return .mutationByGet }
        return .executed(
          await executor.execute(operation, variables: coerced, context: context, onError: asked.onError)
        )
      }
    } catch {
      metrics.count(.failure)
      return .failed
    }
  }

  /// What became of an operation.
  enum Outcome: ~Copyable {
    case executed(ByteBuffer)
    case refused(GraphQLErrors)
    case mutationByGet
    case failed
  }

  /// Whether it would be a subscription, whoever asks.
  func isSubscription(_ asked: GraphQLRequest) -> Bool {
    let operation = try? service.isOpenToIntrospection ? open.prepared(asked) : closed.prepared(asked)
    return operation?.type == .subscription
  }

  func prepare(
    _ asked: GraphQLRequest,
    _ known: PreparedOperation?,
    _ given: InputValue,
    for context: Service.Context
  ) -> Result<(PreparedOperation, VariableValues), GraphQLErrors> {
    Result { () throws(GraphQLErrors) in
      let operation: PreparedOperation
      let allowsIntrospection = service.allowsIntrospection(context)
      if let known {
        operation = known
      } else if allowsIntrospection {
        operation = try open.prepared(asked)
      } else {
        operation = try closed.prepared(asked)
      }
      let variables = try VariableCoercion.coerce(
        given,
        to: operation.variables,
        in: service.executable.schema,
        suggests: allowsIntrospection,
        maximumErrors: limits.execution.variableErrors
      )
      return (operation, variables)
    }
  }
}

extension GraphQLErrors {
  fileprivate static let notByHTTP = GraphQLErrors([
    GraphQLError(
      "A subscription is answered over WebSocket (graphql-transport-ws), or as `Accept: text/event-stream`.",
      code: .notAcceptable
    )
  ])
}
