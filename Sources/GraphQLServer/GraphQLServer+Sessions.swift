import GraphQLEngine
import Synchronization

extension GraphQLServer {
  /// Closes the WebSockets and event streams of a session, for instance after the user has signed out.
  ///
  /// A WebSocket is closed with 4403, once its running queries and mutations have their responses. An event stream ends
  /// with the error `SESSION_ENDED`. Both may happen after this method has returned. A connection whose context is
  /// being made meanwhile is not closed: `GraphQLSchema.eventContext(_:)` can end its subscriptions.
  ///
  /// The schema must state the callers by `GraphQLSchema.caller(_:)`. Does nothing if the server is not running, or the
  /// session has no connection.
  ///
  /// - Parameter session: The session of the `GraphQLCaller`, or its user if it was made without a session.
  public func disconnect(session: some Hashable & Sendable) async {
    guard case .started(let start) = state.withLock({ $0 }), let running = try? await start.value else { return }
    running.sessions.end(GraphQLCaller.number(of: session))
  }
}
