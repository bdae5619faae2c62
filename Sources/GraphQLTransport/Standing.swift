import GraphQL

/// What a connection that outlives its requests has to know of who opened it.
package struct Standing: Sendable {
  /// The session that they are signed in with; nil for nobody. When it ends, so does the connection.
  package var session: Int64?
  /// Whom their connections are counted for; nil for nobody.
  package var person: Int64?
  /// Milliseconds until what they showed has expired; nil for never.
  package var expiresIn: Int64?
  /// The position in the feed when the connection was opened, for subscriptions that end before their first event.
  package var position: String?
  /// Why what they showed is not good, where it is not.
  package var fault: GraphQLError?

  package init(
    session: Int64? = nil,
    person: Int64? = nil,
    expiresIn: Int64? = nil,
    position: String? = nil,
    fault: GraphQLError? = nil
  ) {
    self.session = session
    self.person = person
    self.expiresIn = expiresIn
    self.position = position
    self.fault = fault
  }
}
