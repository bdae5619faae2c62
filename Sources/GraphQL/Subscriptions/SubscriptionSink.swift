/// Where a subscription's responses go: a client's connection. On the loop's thread, like all of it.
package protocol SubscriptionSink: AnyObject, Sendable {
  /// Whether the client leaves so much untaken that it should be sent no more. It is told of new events nevertheless,
  /// and decides itself; what is kept for it is only read when it is not behind, and `Subscription.resume()` has it go
  /// on.
  var isBehind: Bool { get }
  func receive(_ response: SubscriptionResponse)
  /// There will be no more: with errors, or because the source has ended. Not said to who cancelled.
  func subscriptionDidEnd(with errors: [GraphQLError])
}
