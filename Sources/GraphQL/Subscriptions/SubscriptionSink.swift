/// The destination of a subscription's responses: the connection of a client. Confined to the thread of the event loop.
package protocol SubscriptionSink: AnyObject, Sendable {
  /// Whether the client is a slow consumer: so many responses are unsent that it should receive no more (backpressure).
  /// Responses to published events are still passed to the sink, which decides itself. The backlog is read only while
  /// this is false; `Subscription.resume()` continues it.
  var isBehind: Bool { get }
  func receive(_ response: SubscriptionResponse)
  /// Identifies the connection, which several sinks can share. By default, the sink is one of its own.
  var connectionID: ObjectIdentifier { get }
  /// The subscription has ended, with errors or because the source stream has ended. Not called after a cancellation by
  /// the client.
  func subscriptionDidEnd(with errors: [GraphQLError])
}

extension SubscriptionSink {
  package var connectionID: ObjectIdentifier { ObjectIdentifier(self) }
}
