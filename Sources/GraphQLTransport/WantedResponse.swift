import GraphQL
import HTTP

/// The response formats that a client accepts for its request.
struct WantedResponse: Sendable {
  /// The preferred of the two media types; nil if the client accepts neither.
  let format: ResponseFormat?
  /// Whether the client accepts server-sent events.
  var eventStream = false
  /// Whether the client prefers server-sent events to its preferred media type, and to parts.
  private(set) var prefersEventStream = false
  /// The format of incremental delivery; nil if the client accepts only complete responses, or prefers them.
  private(set) var incremental: IncrementalFormat?

  init(_ format: ResponseFormat) { self.format = format }

  /// Nil if the client accepts none of the available formats.
  init?(acceptedBy request: borrowing HTTPRequest) {
    format = ResponseFormat.preferred(by: request)
    // An event stream can execute a mutation, and a HEAD has no body for it.
    eventStream = request.method != .head && ResponseFormat.acceptsEventStream(request)
    incremental = request.method == .head ? nil : MultipartFormat.accepted(by: request)
    if format == nil && !eventStream && incremental == nil { return nil }
    prefersEventStream =
      eventStream
      && (format == nil && incremental == nil || ResponseFormat.prefersEventStream(request, toPartsIn: incremental))
  }

  /// The format of a response that is neither an event stream nor in parts.
  var singleFormat: ResponseFormat { format ?? .json }
}
