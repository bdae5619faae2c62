import EventLoop
import GraphQL
import HTTPServer

/// A suspended request with its state.
///
/// `@unchecked Sendable`: it is confined to the thread of its loop. The actors of the loop pass it to one another,
/// which region isolation cannot express.
final class PendingRequest<Service: GraphQLService>: @unchecked Sendable {
  /// The step at which the request is suspended, with what it needs.
  ///
  /// An execution needs nothing of the request, whose memory the loop's next request uses then. The other steps are
  /// indirect: with a request, a step has 200 bytes, which each function on its way would copy.
  enum Step {
    /// The caller's session is not cached on this loop, or the request contains files. The operation is given if it was
    /// found before.
    indirect case identification(GraphQLRequest, known: PreparedOperation?)
    /// The caller that is charged for the request is throttled.
    indirect case turn(GraphQLRequest, known: PreparedOperation?, Service.Context, Payer)
    /// The document is new and takes long to prepare. It is given if the request does not contain it: a document that
    /// waits takes no memory but that of its request.
    indirect case preparation(GraphQLRequest, document: [UInt8]?, Service.Context)
    /// The variables are large.
    indirect case coercion(GraphQLRequest, PreparedOperation, Service.Context)
    /// There may be a response to an equal request, whose validity is not known yet.
    indirect case reuse(GraphQLRequest, ResponseCache.HeldEntry, ReusableQuery, Service.Context)
    case execution(Execution)
    /// The response is kept.
    indirect case reusableExecution(Execution, ReusableQuery, Service.Context)
    /// A mutation that is executed once.
    indirect case idempotentExecution(Execution, IdempotentRequest, Service.Context)
    /// The operation is a subscription, whose source stream must be created.
    indirect case subscription(GraphQLRequest, PreparedOperation, VariableValues, any SubscriptionSink, Service.Context)
  }

  let origin: RequestOrigin
  private let service: Service
  var step: Step
  /// Whether the operation is a query or mutation that is being executed.
  var isExecuting: Bool {
    switch step {
    case .reuse, .execution, .reusableExecution, .idempotentExecution: true
    case .identification, .turn, .preparation, .coercion, .subscription: false
    }
  }
  /// When the request was received, in nanoseconds of a monotonic clock.
  let startedAt: UInt64
  /// Whether the response is delivered in parts, which keep the request until the last one.
  var hasParts = false
  /// Called on the loop when the request is suspended at a further step. It must not run other requests.
  var stepDidChange: (@Sendable () -> Void)?
  /// Nil until the caller is identified, and after the request is finished.
  var context: Service.Context?
  /// Set if the variables are large. It is the last property, and so released after those that refer to the values.
  var largeVariables: WorkerReleased<VariableValues>?

  init(_ step: Step, from origin: RequestOrigin, service: Service, since startedAt: UInt64) {
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
