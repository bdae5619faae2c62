import GraphQL

/// The caller of a connection that outlives its requests.
package enum ConnectionIdentity: Sendable {
  case anonymous
  /// The access token is not valid, or the connection is not admitted.
  case rejected(GraphQLError)
  case signedIn(SessionIdentity)

  /// Nil unless the caller is signed in.
  var session: SessionIdentity? {
    if case .signedIn(let session) = self { session } else { nil }
  }
}

/// The identity of a connection, and the position in the feed when it was identified.
struct PositionedIdentity {
  let identity: ConnectionIdentity
  /// For subscriptions that end before their first event. Nil if the caller is not signed in, or if the position could
  /// not be read: the client then has to start a new subscription.
  var position: String?
}
