import EventLoop
import GraphQL
import GraphQLEngine
import GraphQLTransport
import HTTP
import HTTPServer

/// A closure that makes the context of a request.
enum ContextMaker<Value: Sendable>: Sendable {
  case atOnce(@Sendable (ClientRequest) throws -> Value)
  case waiting(@Sendable (ClientRequest) async throws -> Value)
}

/// Serves a schema of resolvers on one loop.
final class ResolverService<Value: Sendable>: GraphQLService {
  let executable: ExecutableSchema
  let isIntrospectionPublic: Bool
  private let makeContext: ContextMaker<Value>
  let makeCaller: (@Sendable (Value) -> GraphQLCaller?)?
  private let makeEventContext: (@Sendable (Value) throws -> Value)?
  private let errorHooks: ErrorHooks<Value>?
  private let sources: EventSources
  let mutations: MutationTasks
  let onError: ErrorHandler
  /// Made once, because a closure for each request would be allocated for each.
  private let onFailure: @Sendable () -> Void
  let sessions: OpenSessions
  let routes: ServerRoutes
  /// The size of the longest body, unless a route accepts longer ones.
  let bodyBytes: Int

  /// Contexts can be made from any header.
  static var keepsRequest: Bool { true }

  init(
    _ executable: ExecutableSchema,
    of schema: GraphQLSchema<Value>,
    isIntrospectionPublic: Bool,
    sources: EventSources,
    mutations: MutationTasks,
    sessions: OpenSessions,
    routes: ServerRoutes,
    bodyBytes: Int,
    metrics: Metrics,
    onError: @escaping ErrorHandler,
    makeContext: ContextMaker<Value>
  ) {
    self.executable = executable
    makeCaller = schema.makeCaller
    makeEventContext = schema.makeEventContext
    errorHooks = schema.errorHooks
    self.isIntrospectionPublic = isIntrospectionPublic
    self.sources = sources
    self.mutations = mutations
    self.sessions = sessions
    self.routes = routes
    self.bodyBytes = bodyBytes
    self.onError = onError
    onFailure = { metrics.countFailureOfField() }
    self.makeContext = makeContext
  }

  func knownContext(for caller: Caller) throws -> ResolverContext<Value>? {
    guard case .atOnce(let make) = makeContext else { return nil }
    do {
      return context(try make(ClientRequest(caller: caller)))
    } catch {
      throw responseError(error)
    }
  }

  func context(for caller: Caller, _ files: [UploadedFile]) async throws -> ResolverContext<Value> {
    // Copied once, because a part of the request's body would have indices from the middle of it.
    let uploads = files.map { Upload(content: Array($0.content), fileName: $0.name, contentType: $0.contentType) }
    do {
      switch makeContext {
      case .atOnce(let make): return context(try make(ClientRequest(caller: caller)), files: uploads)
      case .waiting(let make): return context(try await make(ClientRequest(caller: caller)), files: uploads)
      }
    } catch {
      throw responseError(error)
    }
  }

  /// A `GraphQLErrorConvertible` becomes the response. Every other error is reported, and the response only states that
  /// the server failed.
  private func responseError(_ error: any Error) -> any Error {
    if let rejection = CallerRejection(showing: error) { return rejection }
    // The client has ended its connection, or stopped the operation.
    if !(error is CancellationError && Task.isCancelled) { onError(error, "context") }
    return error
  }

  /// A context of its own for each event, so that each counts as a failure if a field of it fails.
  func context(for subscriber: ResolverContext<Value>) throws -> ResolverContext<Value> {
    guard let makeEventContext else { return context(subscriber.value, files: subscriber.files) }
    do {
      return context(try makeEventContext(subscriber.value), files: subscriber.files)
    } catch {
      // Reported here, because the engine knows no context that could.
      throw context(subscriber.value).clientError(for: error, at: "context")
    }
  }

  private func context(_ value: Value, files: [Upload] = []) -> ResolverContext<Value> {
    ResolverContext(
      value,
      files: files,
      sources: sources,
      mutations: mutations,
      onError: onError,
      errorHooks: errorHooks,
      onFailure: onFailure
    )
  }

  func address(of request: HTTPRequest) -> String? { request.peer }
  func allowsIntrospection(_ context: ResolverContext<Value>) -> Bool { isIntrospectionPublic }
  func finish(_ context: ResolverContext<Value>) {}
  func reasonNotReady() -> String? { nil }
  func answer(_ request: HTTPRequest) async -> HTTPAnswer? { nil }
}
