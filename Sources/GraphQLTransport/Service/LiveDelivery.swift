/// The part of a service that live connections need beyond the request that opened them. An application with
/// subscriptions implements it.
///
/// A session that ends must be reported by `whenSessionsChange(_:)`, because the caller of an open connection is not
/// identified again.
package protocol LiveDelivery: CallerIdentification {
  /// What is kept of the context of a subscription as long as it is open.
  associatedtype Subscriber = Context

  func subscriber(of context: Context) -> Subscriber

  /// A context for the next event of a subscription. A thrown error ends the subscription: the client receives
  /// `GraphQLErrors`, a `FieldError` or the error of `ServiceUnavailable`, otherwise an internal error.
  func context(for subscriber: Subscriber) throws -> Context

  /// The current position in the feed, for a connection with this identity; nil if the caller has none. Reads, and is
  /// therefore called in passes.
  func position(of context: Context) throws -> String?

  /// Registers `body`, which is called on any thread whenever sessions change, with nil for all sessions. Their
  /// connections are then closed. Events that are published after the call do not reach them.
  func whenSessionsChange(_ body: @escaping @Sendable ([Int64]?, SessionChange) -> Void)
}

extension LiveDelivery {
  package func position(of context: Context) throws -> String? { nil }
}

extension LiveDelivery where Subscriber == Context {
  package func subscriber(of context: Context) -> Context { context }
}
