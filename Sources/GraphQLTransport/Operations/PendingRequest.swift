import GraphQL
import HTTPServer

/// A request that has to wait, with everything that has been found out about it.
///
/// `@unchecked Sendable`: it belongs to its loop's thread, and the actors there hand it to one another, which region
/// isolation cannot know.
final class PendingRequest<Service: GraphQLService>: @unchecked Sendable {
  /// The step that waits.
  enum Step {
    /// The caller's session is not known on this loop yet, or files came with the request.
    case identification
    /// The requests of the one who is charged for this have taken long.
    case turn(Service.Context, ByteOwner)
    /// The document is new and takes long to prepare.
    case preparation([UInt8], Service.Context)
    /// The variables are large.
    case coercion(PreparedOperation, Service.Context)
    case execution(Execution)
  }

  let request: GraphQLRequest
  /// The operation, where it was found before the caller was identified.
  let known: PreparedOperation?
  let origin: RequestOrigin<Service>
  private let service: Service
  var step: Step
  /// Nil until the caller is identified, and when the request is finished.
  var context: Service.Context?

  init(
    _ request: GraphQLRequest,
    _ known: PreparedOperation?,
    _ origin: RequestOrigin<Service>,
    _ service: Service,
    _ step: Step
  ) {
    self.request = request
    self.known = known
    self.origin = origin
    self.service = service
    self.step = step
  }

  // A request whose client has gone is dropped before it is finished.
  deinit { finishContext() }

  func finishContext() {
    if let context { service.finish(context) }
    context = nil
  }
}
