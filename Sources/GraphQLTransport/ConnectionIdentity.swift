import GraphQL

/// The caller of a connection that outlives its requests.
package struct ConnectionIdentity: Sendable {
  /// The caller's session; nil for anonymous callers. The connection ends with it.
  package var session: Int64?
  /// The person whose connections are counted; nil for anonymous callers.
  package var person: Int64?
  /// Milliseconds until the access token expires; nil if there is none.
  package var expiresIn: Int64?
  /// The position in the feed when the connection was opened, for subscriptions that end before their first event.
  package var position: String?
  /// Why the access token is not valid, if it is not.
  package var error: GraphQLError?

  package init(
    session: Int64? = nil,
    person: Int64? = nil,
    expiresIn: Int64? = nil,
    position: String? = nil,
    error: GraphQLError? = nil
  ) {
    self.session = session
    self.person = person
    self.expiresIn = expiresIn
    self.position = position
    self.error = error
  }
}
