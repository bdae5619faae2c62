import GraphQL

/// What a request carries through the engine: the value that the application made for it.
package final class ResolverContext<Value: Sendable>: ExecutionContext {
  package let value: Value
  /// Where the events of subscriptions come from; nil outside of a server.
  package let sources: EventSources?
  package let onError: ErrorHandler

  package init(_ value: Value, sources: EventSources?, onError: @escaping ErrorHandler) {
    self.value = value
    self.sources = sources
    self.onError = onError
  }

  package func objectType(of key: Int64) -> TypeID? { nil }
  package func willSuspend() {}
  package func report(_ error: any Error, at field: String) { onError(error, field) }
  package func fieldError(for error: any Error) -> FieldError? { (error as? GraphQLError)?.fieldError }
}

/// Called with an error that clients do not see, and the field or type where it occurred, such as `Book.author`.
public typealias ErrorHandler = @Sendable (_ error: any Error, _ field: String) -> Void
