import Bytes
import GraphQL
import JSON

/// Executes queries and mutations against a schema.
///
/// It parses, validates and plans a document once and caches the plans of recent documents. Use it for transports of
/// your own and in tests. It does not run subscriptions, and responds to them with an error. It responds once, also to
/// documents with `@defer` and `@stream`. `GraphQLServer`, in the module of the same name, serves a schema over HTTP,
/// with subscriptions and responses in parts.
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
  private let onError: ErrorHandler
  private var plans = PlanCache()

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - schema: The schema, with resolvers for all of its fields.
  ///   - limits: What one request may cost.
  ///   - onError: Called with every error of a resolver that is no `GraphQLError`.
  /// - Throws: `GraphQLSchemaError` when the schema is not valid, or a field has no resolver.
  public init(
    _ schema: GraphQLSchema<Context>,
    limits: GraphQLLimits = GraphQLLimits(),
    onError: @escaping ErrorHandler = { _, _ in }
  ) throws {
    let executable = try schema.executable()
    preparation = Preparation(executable, limits: limits.request)
    executor = Executor(executable, limits: limits.request.execution)
    self.limits = limits.request
    self.onError = onError
  }

  /// Executes a query or mutation and returns the response as JSON. The response to a subscription is an error.
  ///
  /// - Parameters:
  ///   - document: The GraphQL document.
  ///   - operationName: The operation to execute, where the document has several.
  ///   - variables: A JSON object with the variables of the operation.
  ///   - context: The value that resolvers read as `request.context`.
  public func execute(
    _ document: String,
    operationName: String? = nil,
    variables: String = "{}",
    context: Context
  ) async -> String {
    let prepared: (PreparedOperation, VariableValues)
    do throws(GraphQLErrors) {
      prepared = try prepare(Array(document.utf8), operationName: operationName, variables: Array(variables.utf8))
    } catch {
      return String(decoding: ErrorResponse.bytes(error.errors).array(), as: UTF8.self)
    }
    let context = ResolverContext(context, sources: nil, onError: onError)
    switch executor.start(prepared.0, variables: prepared.1, context: context) {
    case .response(let response): return String(decoding: response.array(), as: UTF8.self)
    case .waiting(let execution): return String(decoding: await executor.finish(execution).array(), as: UTF8.self)
    }
  }

  private func prepare(
    _ document: [UInt8],
    operationName: String?,
    variables: [UInt8]
  ) throws(GraphQLErrors) -> (PreparedOperation, VariableValues) {
    guard let given = try? JSONDocument(variables[...]).root, given.members != nil else {
      throw GraphQLErrors([GraphQL.GraphQLError("The variables are not a JSON object.", code: .badUserInput)])
    }
    let operation: PreparedOperation
    if let known = plans.operation(for: document[...], named: operationName) {
      operation = known
    } else {
      operation = try preparation.prepare(document, operationName: operationName)
      plans.insert(operation, for: document[...], named: operationName)
    }
    guard operation.type != .subscription else {
      throw GraphQLErrors([GraphQL.GraphQLError("Subscriptions require a server.", code: .badUserInput)])
    }
    let values = try VariableCoercion.coerce(
      GivenVariables(given),
      to: operation.variables,
      in: preparation.executable.schema,
      suggests: true,
      limits: limits.execution.variables
    )
    return (operation, values)
  }
}
