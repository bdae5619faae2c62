import GraphQL

/// The application behind the transport: an executable schema, and the parts that the protocols below describe. Each
/// loop has its own service, confined to the loop.
package protocol GraphQLService: CallerIdentification, CallerAdmission, LiveDelivery, ResponseReuse,
  IdempotentExecution, RequestReporting, ResourceServing, SendableMetatype
{
  var executable: ExecutableSchema { get }

  /// Why the server is not ready, for `/ready`; nil if it is.
  func reasonNotReady() -> String?
}
