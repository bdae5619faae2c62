import HTTP

/// In which form a client wants the response to its request.
struct WantedResponse: Sendable {
  /// The preferred of the two media types; nil where the client takes neither.
  let format: ResponseFormat?
  /// Whether the client takes server-sent events.
  var eventStream = false
  /// Whether it wants the errors of the request instead of its execution.
  var isValidation = false

  init(_ format: ResponseFormat) { self.format = format }

  /// Nil where the client takes nothing that there is.
  init?(acceptedBy request: borrowing HTTPRequest) {
    format = ResponseFormat.preferred(by: request)
    // An event stream may begin with a mutation, and a HEAD has no body for it.
    eventStream = request.method != .head && ResponseFormat.takesEventStream(request)
    if format == nil && !eventStream { return nil }
  }

  /// For responses that are not executed, and so never an event stream.
  var errorFormat: ResponseFormat { format ?? .json }
}
