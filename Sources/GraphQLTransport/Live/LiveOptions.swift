/// The limits of WebSockets and event streams.
package struct LiveOptions: Sendable, Equatable {
  /// The time within which the client of a WebSocket must send `connection_init`. After it: 4408.
  package var initialization = Duration.seconds(10)
  /// The maximum number of open operations of a WebSocket. A further one gets the error `TOO_MANY_OPERATIONS`.
  package var maximumOperations = 100
  /// The number of running tasks of a WebSocket at which further messages wait: those of its open operations, and a few
  /// of operations that the client has stopped.
  var maximumTasks: Int { maximumOperations + 16 }
  /// How long the messages of a WebSocket wait for its tasks. Then it is closed: while its messages wait, nothing shows
  /// that a client has gone.
  package var taskWait = Duration.seconds(60)
  /// The maximum size in memory of the operations of a loop's open subscriptions, each counted once. A caller has an
  /// eighth of it. A further subscription gets the error `TOO_MANY_OPERATIONS`.
  package var maximumOperationBytes = 16 << 20
  /// How long subscriptions continue after their access token has expired, so that the client can renew it.
  package var expiryGrace = Duration.seconds(60)

  package init() {}

  /// The delay in milliseconds before a client reconnects after a shutdown. It is random, so that clients do not
  /// reconnect at the same time.
  var retryDelay: Int64 { Int64.random(in: 0...10_000) }
}
