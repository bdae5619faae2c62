/// The part of a service that executes a mutation with an idempotency key only once. An application that can record the
/// key in the transaction of the mutation's writes implements it.
///
/// By default the key is ignored, as by servers of other schemas: only their resolvers know what is written.
package protocol IdempotentExecution: CallerIdentification {
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
}

extension IdempotentExecution {
  package func firstResponse(to request: IdempotentRequest, in context: Context) async throws -> [UInt8]? { nil }
  package func keep(_ response: [UInt8]?, of request: IdempotentRequest, in context: Context) async {}
}
