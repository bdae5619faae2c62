import EventLoop
import GraphQL
import HTTPServer

/// A suspended request with its state.
///
/// `@unchecked Sendable`: it is confined to the thread of its loop. The actors of the loop pass it to one another,
/// which region isolation cannot express.
final class PendingRequest<Service: GraphQLService>: @unchecked Sendable {
  /// The step at which the request is suspended.
  enum Step {
    /// The caller's session is not cached on this loop, or the request contains files.
    case identification
    /// The caller that is charged for the request is throttled.
    case turn(Service.Context, ByteOwner)
    /// The document is new and takes long to prepare. It is given if the request does not contain it: a document that
    /// waits takes no memory but that of its request.
    case preparation([UInt8]?, Service.Context)
    /// The variables are large.
    case coercion(PreparedOperation, Service.Context)
    /// There may be a response to an equal request, whose validity is not known yet.
    case reuse(ResponseCache.HeldEntry, ReusableQuery, Service.Context)
    /// The response is kept if the query is given.
    case execution(Execution, ReusableQuery?)
    /// The operation is a subscription, whose source stream must be created.
    case subscription(PreparedOperation, VariableValues, any SubscriptionSink, Service.Context)
  }

  let request: GraphQLRequest
  /// The operation, if it was found before the caller was identified.
  let known: PreparedOperation?
  let origin: RequestOrigin
  private let service: Service
  var step: Step
  /// Whether the operation is a query or mutation that is being executed.
  var isExecuting: Bool {
    switch step {
    case .reuse, .execution: true
    case .identification, .turn, .preparation, .coercion, .subscription: false
    }
  }
  /// When the request was received, in nanoseconds of a monotonic clock.
  let startedAt: UInt64
  /// Whether the response is delivered in parts, which keep the request until the last one.
  var hasParts = false
  /// Nil until the caller is identified, and after the request is finished.
  var context: Service.Context?
  /// Set if the variables are large. It is the last property, and so released after those that refer to the values.
  var largeVariables: WorkerReleased<VariableValues>?

  init(
    _ request: GraphQLRequest,
    known: PreparedOperation?,
    from origin: RequestOrigin,
    service: Service,
    step: Step,
    since startedAt: UInt64
  ) {
    self.request = request
    self.known = known
    self.origin = origin
    self.service = service
    self.step = step
    self.startedAt = startedAt
  }

  // A request whose client has disconnected is released before it is finished.
  deinit { finishContext() }

  func finishContext() {
    if let context { service.finish(context) }
    context = nil
  }
}
