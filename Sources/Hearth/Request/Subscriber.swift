import GraphQLTransport

/// The part of a request's context from which the contexts of a subscription's events are made. It is kept as long as
/// the subscription is open: with the context itself, an idle socket took 290 bytes more.
package struct Subscriber: Sendable {
  let viewer: Viewer?
  let tokenFault: TokenFault?
  let tokenExpiresAt: Int64?
  let caller: Caller
}
