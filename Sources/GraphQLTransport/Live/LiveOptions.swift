/// What bounds connections that outlive their requests.
package struct LiveOptions: Sendable, Equatable {
  /// How long a WebSocket's client may take to say who it is. Past it: 4408.
  package var initialization = Duration.seconds(10)
  /// Operations that may be open in one WebSocket at a time. A further one is answered with `TOO_MANY_OPERATIONS`.
  package var maximumOperations = 100
  /// How long subscriptions go on after their access token has expired, for the client to renew it.
  package var expiryGrace = Duration.seconds(60)
  /// At a shutdown clients are told to come again after some time within this, so that they do not all come at once.
  package var maximumRetryDelay = Duration.seconds(10)

  package init() {}

  /// What one client is told, in milliseconds.
  var retryDelay: Int64 { Int64.random(in: 0...max(0, maximumRetryDelay.wholeMilliseconds)) }
}

extension Duration {
  var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
