import Basics
import GraphQL

/// An operation whose responses are sent as an event stream, and what is kept of its HTTP request until it runs.
struct StreamedOperation: Sendable {
  let request: GraphQLRequest
  /// The files of a multipart request.
  let files: [UploadedFile]
  let caller: Caller
  /// Whether mutations are rejected, because the request is a GET.
  let isByGet: Bool
  /// The format of responses that are delivered in parts.
  let incremental: IncrementalFormat
  /// Nil if the request is not traced.
  let trace: RequestTrace?
  /// The client's span, for the request log; nil if the request names none.
  let traceParent: TraceContext?
}
