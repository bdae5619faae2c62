import Bytes
import GraphQL
import JSON

/// Executes operations against a schema.
///
/// It parses, validates and plans a document once and caches the plans of recent documents. Use it for transports of
/// your own and in tests. It responds once to queries and mutations, also to documents with `@defer` and `@stream`.
/// `GraphQLServer`, in the module of the same name, serves a schema over HTTP, with responses in parts.
///
/// It executes operations on itself, so those that do not wait use one core together. Make several executors of one
/// schema to use more. Each has its own cache.
///
/// ```swift
/// let executor = try GraphQLExecutor(schema)
/// let response = await executor.execute("{ book(id: 1) { title } }", context: Context(library: library))
/// // {"data":{"book":{"title":"Frankenstein"}}}
/// ```
public actor GraphQLExecutor<Context: Sendable> {
  private let preparation: Preparation
  private let executor: Executor
  private let limits: RequestLimits
  let json: JSONLimits
  private let allowsIntrospection: Bool
  private let onError: ErrorHandler
  private let errorHooks: ErrorHooks<Context>?
  private let makeEventContext: (@Sendable (Context) throws -> Context)?
  private let sources: EventSources
  private var plans = PlanCache()

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - schema: The schema, with resolvers for all of its fields.
  ///   - limits: What one request may cost.
  ///   - variableBytes: The maximum size of the variables as JSON in bytes, at most 1 GiB. A body of
  ///     `respond(toBody:context:)` can have as many bytes.
  ///   - allowsIntrospection: Whether clients can request the schema. If not, errors suggest no names of it either.
  ///   - onError: Called with every error that clients do not see, and with the coordinate of the field. By default the
  ///     error is written to the standard error. If the schema has an `onError` of its own, that one is called instead.
  /// - Throws: `GraphQLSchemaError` when the schema is not valid, a field has no resolver, or a registration
  ///   contradicts the schema or another one.
  public init(
    _ schema: GraphQLSchema<Context>,
    limits: GraphQLLimits = GraphQLLimits(),
    variableBytes: Int = 1 << 20,
    allowsIntrospection: Bool = true,
    onError: @escaping ErrorHandler = ErrorLog.write
  ) throws {
    let executable = try schema.executable(limits: limits)
    var preparation = Preparation(executable, limits: limits.request)
    preparation.validation?.allowsIntrospection = allowsIntrospection
    self.preparation = preparation
    self.allowsIntrospection = allowsIntrospection
    json = JSONLimits(bytes: variableBytes)
    executor = Executor(executable, limits: limits.request.execution)
    self.limits = limits.request
    self.onError = onError
    errorHooks = schema.errorHooks
    makeEventContext = schema.makeEventContext
    sources = EventSources()
  }

  /// Executes a query or mutation and returns the response as JSON. The response to a subscription is an error.
  ///
  /// - Parameters:
  ///   - document: The GraphQL document.
  ///   - operationName: The operation to execute, where the document has several.
  ///   - variables: A JSON object with the variables of the operation.
  ///   - files: The files of the operation, by the paths of the variables that they replace, such as `file` or
  ///     `files.0`. These are `null` in `variables`.
  ///   - context: The value that resolvers read as `request.context`.
  public func execute(
    _ document: String,
    operationName: String? = nil,
    variables: String = "{}",
    files: [String: Upload] = [:],
    context: Context
  ) async -> String {
    let request = ExecutorRequest(
      document,
      operationName: operationName,
      variables: variables,
      files: files,
      context: context
    )
    return await execute(request)
  }

  /// Executes a query or mutation.
  func execute(_ request: ExecutorRequest<Context>) async -> String {
    do throws(GraphQLErrors) {
      let (operation, values) = try prepare(request)
      guard operation.type != .subscription else {
        throw GraphQLErrors([GraphQL.GraphQLError("Subscriptions are not supported here.", code: .badUserInput)])
      }
      return await execute(operation, variables: values, of: request)
    } catch {
      return error.response
    }
  }

  /// Returns the responses to an operation of any type, as JSON: one to a query or mutation, and one to each event of a
  /// subscription.
  ///
  /// ```swift
  /// for await response in executor.responses(to: "subscription { bookAdded { title } }", context: context) {
  ///   socket.send(response)
  /// }
  /// ```
  ///
  /// The operation starts when the first response is read, and again for each iteration of the sequence. If it cannot
  /// be executed, or the events of a subscription end with an error, the last response consists of errors. An event is
  /// read after the response to the one before it was.
  ///
  /// - Parameters:
  ///   - document: The GraphQL document.
  ///   - operationName: The operation to execute, where the document has several.
  ///   - variables: A JSON object with the variables of the operation.
  ///   - files: The files of the operation, by the paths of the variables that they replace, such as `file` or
  ///     `files.0`. These are `null` in `variables`.
  ///   - context: The value that resolvers read as `request.context`.
  public nonisolated func responses(
    to document: String,
    operationName: String? = nil,
    variables: String = "{}",
    files: [String: Upload] = [:],
    context: Context
  ) -> GraphQLResponses<Context> {
    let request = ExecutorRequest(
      document,
      operationName: operationName,
      variables: variables,
      files: files,
      context: context
    )
    return GraphQLResponses(request, from: self)
  }

  /// Executes a query or mutation, or begins a subscription.
  func begin(_ request: ExecutorRequest<Context>) async -> ExecutorStart {
    do throws(GraphQLErrors) {
      let (operation, values) = try prepare(request)
      guard operation.type == .subscription else {
        return .response(await execute(operation, variables: values, of: request))
      }
      let stream = try await executor.source(
        of: operation,
        variables: values,
        resume: nil,
        context: resolverContext(of: request)
      )
      guard let events = sources.events(of: stream) else { throw GraphQLErrors([.internalError]) }
      return .events(events)
    } catch {
      return .response(error.response)
    }
  }

  /// Executes a subscription for an event. The response is the last one if the event has no context.
  func respond(
    to event: any Sendable,
    of request: ExecutorRequest<Context>
  ) async -> (json: String, isLast: Bool) {
    var request = request
    do {
      if let makeEventContext { request.context = try makeEventContext(request.context) }
    } catch {
      let known = resolverContext(of: request).clientError(for: error, at: "context")
      return (response(to: GraphQL.GraphQLError(known)), true)
    }
    do throws(GraphQLErrors) {
      let (operation, values) = try prepare(request)
      return (await execute(operation, variables: values, of: request, event: EventValue(event)), false)
    } catch {
      return (error.response, false)
    }
  }

  /// The response that ends a subscription whose events have ended with an error.
  nonisolated func response(to error: GraphQL.GraphQLError) -> String { GraphQLErrors([error]).response }

  private func execute(
    _ operation: PreparedOperation,
    variables: VariableValues,
    of request: ExecutorRequest<Context>,
    event: EventValue? = nil
  ) async -> String {
    let context = resolverContext(of: request)
    do throws(GraphQL.GraphQLError) {
      switch try executor.start(operation, variables: variables, context: context, event: event) {
      case .response(let response): return String(decoding: response.array(), as: UTF8.self)
      case .waiting(let execution):
        return String(decoding: try await executor.finish(execution).array(), as: UTF8.self)
      }
    } catch {
      return GraphQLErrors([error]).response
    }
  }

  private func resolverContext(of request: ExecutorRequest<Context>) -> ResolverContext<Context> {
    ResolverContext(
      request.context,
      files: request.files.map(\.file),
      sources: sources,
      onError: onError,
      errorHooks: errorHooks
    )
  }

  private func prepare(
    _ request: ExecutorRequest<Context>
  ) throws(GraphQLErrors) -> (PreparedOperation, VariableValues) {
    let (document, operationName) = (request.document, request.operationName)
    let given = try JSONDocument.object(in: request.variables, named: "The variables", within: json)
    let operation: PreparedOperation
    if let known = plans.operation(for: document[...], named: operationName) {
      operation = known
    } else {
      operation = try preparation.prepare(document, operationName: operationName)
      plans.insert(operation, for: document[...], named: operationName)
    }
    var variables = GivenVariables(given)
    for (index, file) in request.files.enumerated() {
      let steps = file.path.split(separator: ".", omittingEmptySubsequences: false)
      guard variables.put(file: index, at: steps[...]) else {
        let message = "The variables have no `null` for the file at \(file.path)."
        throw GraphQLErrors([GraphQL.GraphQLError(message, code: .badUserInput)])
      }
    }
    let values = try VariableCoercion.coerce(
      variables,
      to: operation.variables,
      in: preparation.executable.schema,
      suggests: allowsIntrospection,
      limits: limits.execution.variables
    )
    return (operation, values)
  }
}

extension GraphQLErrors {
  /// The response to a request that cannot be executed, as JSON.
  var response: String { String(decoding: ErrorResponse.bytes(errors).array(), as: UTF8.self) }
}
