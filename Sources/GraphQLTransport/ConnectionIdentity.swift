import GraphQL

/// The caller of a connection that outlives its requests.
package struct ConnectionIdentity: Sendable {
  /// The caller's session; nil for anonymous callers. The connection ends with it.
  package var session: Int64?
  /// What the rights of the session follow from, such as the family of its member; nil for anonymous callers. It can
  /// change while the session continues.
  package var rights: Int64?
  /// The person whose connections are counted; nil for anonymous callers.
  package var person: Int64?
  /// The family whose connections are counted together; nil if they are not. One account can have many persons in it.
  package var family: Int64?
  /// Milliseconds until the access token expires; nil if there is none.
  package var expiresIn: Int64?
  /// Why the access token is not valid, if it is not.
  package var error: GraphQLError?

  package init(
    session: Int64? = nil,
    rights: Int64? = nil,
    person: Int64? = nil,
    family: Int64? = nil,
    expiresIn: Int64? = nil,
    error: GraphQLError? = nil
  ) {
    self.session = session
    self.rights = rights
    self.person = person
    self.family = family
    self.expiresIn = expiresIn
    self.error = error
  }
}

/// The identity of a connection, and the position in the feed when it was identified.
struct PositionedIdentity {
  let identity: ConnectionIdentity
  /// For subscriptions that end before their first event. Nil if the caller is not signed in, or if the position could
  /// not be read: the client then has to start a new subscription.
  var position: String?
}
