import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer

/// The application behind the transport: an executable schema and the execution contexts of its requests. Each loop has
/// its own service, confined to the loop.
package protocol GraphQLService: AnyObject, SendableMetatype {
  associatedtype Context: ExecutionContext
  /// What is kept of the context of a subscription as long as it is open.
  associatedtype Subscriber = Context
  /// For how long a response can be sent again.
  associatedtype ResponseValidity = Never

  var executable: ExecutableSchema { get }

  /// Whether `Caller.request` is kept for the life of a connection, which costs the memory of the request.
  static var keepsRequest: Bool { get }

  /// The context of the caller if it is known without waiting; otherwise nil.
  func knownContext(for caller: Caller) throws -> Context?

  /// The client's address, as far as it is trustworthy.
  func address(of request: HTTPRequest) -> String?

  /// Returns an error if no further WebSocket or event stream can be opened for the address. Called once per
  /// connection.
  func connectionError(for address: String?) -> GraphQLError?

  /// Identifies the caller. Called once per request, before execution. Thrown `GraphQLErrors` become the response, as
  /// does the error of `ServiceUnavailable`.
  /// `InputValue.upload` refers to `files` by index.
  func context(for caller: Caller, _ files: [UploadedFile]) async throws -> Context

  /// The network that is charged for the bytes of a request; nil if none is. `request` has no body, and is nil until
  /// its head has arrived.
  func network(of request: HTTPRequest?, peer: String?) -> ByteOwner?

  func subscriber(of context: Context) -> Subscriber

  /// A context for the next event of a subscription. A thrown `FieldError` ends the subscription.
  func context(for subscriber: Subscriber) throws -> Context

  /// The identity of the caller, for connections that outlive the request.
  func identity(of context: Context) -> ConnectionIdentity

  /// The current position in the feed, for a connection with this identity; nil if the caller has none. Reads, and is
  /// therefore called in passes.
  func position(of context: Context) throws -> String?

  /// Registers `body`, which is called on any thread whenever sessions end or their rights change. The connections of
  /// these sessions are then closed.
  func whenSessionsChange(_ body: @escaping @Sendable ([Int64], SessionChange) -> Void)

  /// Whether introspection is allowed for all callers.
  var isIntrospectionPublic: Bool { get }

  /// Whether introspection is allowed for the caller.
  func allowsIntrospection(_ context: Context) -> Bool

  /// Returns an error if a new document with introspection is not prepared for the caller now. Each call counts against
  /// the caller's rate limit.
  func errorOfIntrospection(by context: Context) -> GraphQLError?

  /// The caller that is charged for the time that a request takes on the loop; nil if none is. See `LoopThrottle`.
  func payer(of context: Context) -> ByteOwner?

  /// Begins a query whose response can be sent again to equal requests. Appends to `key` everything by which responses
  /// to an operation with equal variables differ, except for the caller, the data and the time, such as the address
  /// that they use. Returns nil if that is not known.
  func beginReuse(for context: Context, key: inout ByteBuffer) -> ResponseAudiences?

  /// The validity of the response that was executed since `beginReuse`, and which of the audiences gets it; nil if it
  /// must not be sent again. If the context answers at once, nothing may have been suspended since.
  func validityOfResponse(in context: Context) -> (validity: ResponseValidity, audience: UInt64)?

  /// Whether an execution would give the same response now. Call `beginReuse` before, and this in passes.
  func isValid(_ validity: ResponseValidity, for context: Context) throws -> Bool

  /// Called before a mutation with an idempotency key is executed. Returns the response if the caller has sent the same
  /// request with the same key before; otherwise the mutation is executed, and its writes are recorded with the key.
  ///
  /// Thrown `GraphQLErrors` become the response, as does the error of `ServiceUnavailable`.
  func firstResponse(to request: IdempotentRequest, in context: Context) async throws -> [UInt8]?

  /// Called after a mutation with an idempotency key was executed. Thrown `GraphQLErrors` become the response.
  ///
  /// - Parameter response: nil if it is incomplete, has errors, or is longer than
  ///   `IdempotentRequest.maximumResponseBytes`.
  func keep(_ response: [UInt8]?, of request: IdempotentRequest, in context: Context) async throws

  /// Called after the response: releases the resources of the context.
  func finish(_ context: Context)

  /// Runs `work` on a worker thread and returns when it is done, or at once without running it if the queue is full.
  func runOffLoop(_ work: @escaping @Sendable () -> Void) async

  /// Why the server is not ready, for `/ready`; nil if it is.
  func reasonNotReady() -> String?

  /// Whether mutations are rejected at the moment.
  var isReadOnly: Bool { get }

  /// Adds the metrics of the application to those of the transport.
  func addMetrics(to list: inout MetricList) async

  /// The time in milliseconds since 1970.
  var now: Int64 { get }

  /// The client of a request, for the request log.
  func client(of context: Context) -> RequestRecord.Client

  /// The same for a caller who was not identified.
  func client(at address: String?) -> RequestRecord.Client

  /// The steps of the execution with their times, for the slow log. Called after `finish`.
  func steps(of context: Context) -> [RequestRecord.Step]

  /// Whether the caller may see the times and the statements of their own requests. The default is false.
  func allowsMeasurement(_ context: Context) -> Bool

  /// The positions of the events that the writes of the request have stored, as subscribers receive them. Known only
  /// where measurements are allowed.
  func positionsOfEvents(of context: Context) -> [String]

  /// Responds to a request outside of the endpoint, whatever its method, as to a GET; nil if there is no resource at
  /// its path.
  func respond(to request: HTTPRequest) async -> HTTPResponse?

  /// Responds to the form of a page outside of the endpoint; nil if there is no such page.
  func respond(toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse?

  /// The streamed response to a GET request outside of the endpoint; nil if there is none at its path.
  func streamedResponse(to request: HTTPRequest, on loop: EventLoop) -> StreamedResponse?
}

/// A response that is sent piece by piece.
package struct StreamedResponse: Sendable {
  package let headers: HeaderBlock
  package let writer: any ResponseStreamWriter

  package init(headers: HeaderBlock, writer: any ResponseStreamWriter) {
    self.headers = headers
    self.writer = writer
  }
}

extension GraphQLService {
  package static var keepsRequest: Bool { false }
  package func streamedResponse(to request: HTTPRequest, on loop: EventLoop) -> StreamedResponse? { nil }
  package func network(of request: HTTPRequest?, peer: String?) -> ByteOwner? { nil }
  package func respond(toForm request: HTTPRequest, _ execute: PageExecution) async -> HTTPResponse? { nil }
  package func connectionError(for address: String?) -> GraphQLError? { nil }
  package func position(of context: Context) throws -> String? { nil }
  package func payer(of context: Context) -> ByteOwner? { nil }
  package func beginReuse(for context: Context, key: inout ByteBuffer) -> ResponseAudiences? { nil }
  package func validityOfResponse(
    in context: Context
  ) -> (validity: ResponseValidity, audience: UInt64)? { nil }
  package func isValid(_ validity: ResponseValidity, for context: Context) -> Bool { false }
  /// Servers of other schemas ignore the key, because only their resolvers know what is written.
  package func firstResponse(to request: IdempotentRequest, in context: Context) async throws -> [UInt8]? { nil }
  package func keep(_ response: [UInt8]?, of request: IdempotentRequest, in context: Context) async {}
  package var isReadOnly: Bool { false }
  package func addMetrics(to list: inout MetricList) async {}
  package var now: Int64 { EventLoop.secondsSinceEpoch * 1000 }
  package func client(of context: Context) -> RequestRecord.Client { .unknown }
  package func client(at address: String?) -> RequestRecord.Client { address.map { .network($0) } ?? .unknown }
  package func steps(of context: Context) -> [RequestRecord.Step] { [] }
  package func allowsMeasurement(_ context: Context) -> Bool { false }
  package func positionsOfEvents(of context: Context) -> [String] { [] }
  package func errorOfIntrospection(by context: Context) -> GraphQLError? { nil }
  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async { work() }

  func context(for caller: Caller) async throws -> Context { try await context(for: caller, []) }
}

extension GraphQLService where Subscriber == Context {
  package func subscriber(of context: Context) -> Context { context }
}
