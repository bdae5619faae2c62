import Basics
import GraphQL

/// The caller, the transport and the purpose of a request.
///
/// Not generic: the runtime would look its metadata up for each request.
struct RequestOrigin {
  enum Purpose {
    case execution
    /// The request is only validated. Its document is not cached, because it is being edited.
    case validation
  }

  let caller: Caller
  var purpose = Purpose.execution
  /// The files of a multipart request.
  var files: [UploadedFile] = []
  /// Whether mutations are rejected, because the request is a GET.
  var isByGet = false
  /// The sink of a subscription's responses; nil if the transport has one response per request.
  var sink: (any SubscriptionSink)?
  /// The format of incremental delivery; nil if the client accepts only a complete response.
  var incremental: IncrementalFormat?
  /// For the request log; nil if requests are not logged.
  var note: RequestNote?
  /// Nil if the request is not traced.
  var trace: RequestTrace?
  /// Nil unless the client asks for the cost and the times of the request.
  var measurement: RequestMeasurement?
  /// Called once the caller is identified, or after the wait for a turn checked again (`checkCaller()`), with no
  /// suspension in between. Returned errors end the request.
  var whenIdentified: ((any ExecutionContext) -> GraphQLErrors?)?
  /// Called with the current position in the feed before a subscription is created.
  var whenPositioned: ((String) -> Void)?
}
