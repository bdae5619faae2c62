import GraphQL
import HTTP
import HTTPServer

/// What the transport serves: a schema whose fields are bound, and who makes what a request carries through it. One for
/// each loop, and confined to it.
package protocol GraphQLService: AnyObject, SendableMetatype {
  associatedtype Context: ExecutionContext

  var executable: ExecutableSchema { get }

  /// Whether `Caller.request` is needed for as long as a connection lasts: it takes the memory of the request.
  static var keepsRequest: Bool { get }

  /// Who asks, where that is known without waiting; nil where it has to be found out.
  func knownContext(for caller: Caller) throws -> Context?

  /// The address of who asks, as far as it can be relied upon.
  func address(of request: HTTPRequest) -> String?

  /// Why no WebSocket or event stream is opened for the address now; nil when one may be. Called once for each.
  func refusalOfConnection(from address: String?) -> GraphQLError?

  /// Identifies the caller. Called once for each request, before it is executed. Thrown `GraphQLErrors` become the
  /// response. `InputValue.upload` refers to the files by their indices.
  func context(for caller: Caller, _ files: [UploadedFile]) async throws -> Context

  /// The network that bytes of a request are charged to; nil for none. `request` is without its body, and nil while its
  /// head has not come.
  func network(of request: HTTPRequest?, peer: String?) -> ByteOwner?

  /// A context of this moment for whom `context` was made: for the next event of their subscription. A `FieldError`
  /// that is thrown ends the subscription.
  func context(following context: Context) throws -> Context

  /// What a connection that outlives the request has to know of who asks.
  func standing(of context: Context) -> Standing

  /// Has `body` called, on whatever thread, with every session that ends from now on, or that has other rights:
  /// connections that stand for one are closed by it.
  func whenSessionsChange(_ body: @escaping @Sendable ([Int64], SessionChange) -> Void)

  /// Whether everybody may look at the schema by introspection.
  var isOpenToIntrospection: Bool { get }

  /// Whether who asks may look at the schema by introspection.
  func allowsIntrospection(_ context: Context) -> Bool

  /// Why a document that asks about the schema, and was not seen before, is not prepared for the caller now; nil when
  /// it is. Each call counts as one.
  func errorOfIntrospection(by context: Context) -> GraphQLError?

  /// The caller that is charged for the loop's time that a request takes; nil charges no one. See `LoopThrottle`.
  func payer(of context: Context) -> ByteOwner?

  /// The request has been answered: what it held open is closed.
  func finish(_ context: Context)

  /// Runs `work` on a thread that may take its time, and returns when it is done; false where too much waits there.
  func runOffLoop(_ work: @escaping @Sendable () -> Void) async -> Bool

  /// Why requests cannot be served now, for `/ready`; nil where they can.
  func reasonNotReady() -> String?

  /// Answers a GET or HEAD outside of the endpoint, of any other method as if it were one; nil where there is nothing
  /// at its path.
  func respond(to request: HTTPRequest) async -> HTTPResponse?
}

extension GraphQLService {
  package static var keepsRequest: Bool { false }
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? { nil }
  package func refusalOfConnection(from address: String?) -> GraphQLError? { nil }
  package func payer(of context: Context) -> ByteOwner? { nil }
  package func errorOfIntrospection(by context: Context) -> GraphQLError? { nil }
  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async -> Bool {
    work()
    return true
  }

  func context(for caller: Caller) async throws -> Context { try await context(for: caller, []) }
}
