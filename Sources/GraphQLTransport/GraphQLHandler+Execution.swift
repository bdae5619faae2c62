import Bytes
import EventLoop
import GraphQL
import HTTP

/// From a document and its variables to what is executed, whatever carries them.
extension GraphQLHandler {
  /// Executes one operation of an HTTP request: all of it, or one of its list.
  func execute(
    _ asked: GraphQLRequest,
    files: [UploadedFile] = [],
    of request: HTTPRequest
  ) async -> Outcome {
    metrics.count(.request)
    do {
      let context = try await service.context(for: Caller(request, address: service.address(of: request)), files)
      defer { service.finish(context) }
      switch try await prepareAnySize(asked, for: context) {
      case .failure(let refused): return .refused(refused)
      case .success(let (operation, coerced)):
        if operation.type == .subscription { return .refused(.notByHTTP) }
        if operation.type != .query && request.method != .post { return .mutationByGet }
        return .executed(
          await executor.execute(operation, variables: coerced, context: context, onError: asked.onError)
        )
      }
    } catch is WorkerPool.Overloaded {
      return .overloaded
    } catch let error as GraphQLErrors {
      return .refused(error)
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
    /// Too many large requests are waiting.
    case overloaded
    case failed
  }

  /// Whether it would be a subscription, whoever asks.
  func isSubscription(_ asked: GraphQLRequest) -> Bool {
    // A document that asks about the schema too is prepared for a caller that is known.
    let admit = { (document: [UInt8]) throws(GraphQLErrors) in
      if IntrospectionText.isMentioned(in: document) { throw GraphQLErrors([]) }
    }
    let operation = try? service.isOpenToIntrospection ? open.prepared(asked, admit) : closed.prepared(asked, admit)
    return operation?.type == .subscription
  }

  /// What is executed: an operation and its variables.
  typealias Prepared = Result<(PreparedOperation, VariableValues), GraphQLErrors>

  /// For a request that is not large.
  func prepare(_ asked: GraphQLRequest, _ known: PreparedOperation?, for context: Service.Context) -> Prepared {
    Result { () throws(GraphQLErrors) in
      let allowsIntrospection = service.allowsIntrospection(context)
      let operation: PreparedOperation
      if let known {
        operation = known
      } else if allowsIntrospection {
        operation = try open.prepared(asked) { document throws(GraphQLErrors) in try admit(document, of: context) }
      } else {
        operation = try closed.prepared(asked) { document throws(GraphQLErrors) in try admit(document, of: context) }
      }
      let variables = try VariableCoercion.coerce(
        asked.variables,
        to: operation.variables,
        in: service.executable.schema,
        suggests: allowsIntrospection,
        limits: limits.execution.variables
      )
      return (operation, variables)
    }
  }

  /// Preparing a document writes the answers to its introspection, which takes a millisecond for a whole schema: so it
  /// is limited how often a caller can have that done.
  func admit(_ document: [UInt8], of context: Service.Context) throws(GraphQLErrors) {
    guard IntrospectionText.isMentioned(in: document), let error = service.errorOfIntrospection(by: context) else {
      return
    }
    throw GraphQLErrors([error])
  }

  /// Coerces the variables of a large request off the loop.
  /// - Throws: `WorkerPool.Overloaded`.
  func prepareAnySize(_ asked: GraphQLRequest, for context: Service.Context) async throws -> Prepared {
    guard asked.variables.isLarge else { return prepare(asked, nil, for: context) }
    do {
      let operation =
        try service.allowsIntrospection(context)
        ? open.prepared(asked) { document throws(GraphQLErrors) in try admit(document, of: context) }
        : closed.prepared(asked) { document throws(GraphQLErrors) in try admit(document, of: context) }
      return .success((operation, try await coerce(asked, to: operation, for: context)))
    } catch let error as GraphQLErrors {
      return .failure(error)
    }
  }

  /// - Throws: `GraphQLErrors`, or `WorkerPool.Overloaded`.
  func coerce(
    _ asked: GraphQLRequest,
    to operation: PreparedOperation,
    for context: Service.Context
  ) async throws -> VariableValues {
    let (schema, limits) = (service.executable.schema, limits.execution.variables)
    let suggests = service.allowsIntrospection(context)
    let (given, definitions) = (asked.variables, operation.variables)
    let coerce = { @Sendable () throws(GraphQLErrors) in
      try VariableCoercion.coerce(given, to: definitions, in: schema, suggests: suggests, limits: limits)
    }
    guard given.isLarge, let workers else { return try coerce() }
    context.willSuspend()
    return try await workers.run(coerce)
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
