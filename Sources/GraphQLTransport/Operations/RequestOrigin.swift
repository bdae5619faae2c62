import GraphQL

/// Where a request comes from, and what is wanted of it.
struct RequestOrigin<Service: GraphQLService> {
  enum Purpose {
    case execution
    /// To find the errors of the request without executing anything. A document that is being written is not kept.
    case validation
  }

  let caller: Caller
  var purpose = Purpose.execution
  /// The files of a multipart request.
  var files: [UploadedFile] = []
  /// Whether the request can only be a query: it came by GET.
  var isReadOnly = false
  /// Where the responses of a subscription go; nil where the transport has one response for each request.
  var sink: (any SubscriptionSink)?
  /// Called as soon as the caller is identified, before anything else is awaited. Errors end the request.
  var whenIdentified: ((Service.Context) -> GraphQLErrors?)?
}
