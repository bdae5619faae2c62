import Basics

/// The user of a request and the session, for the limits of a server that count by user.
///
/// See ``GraphQLSchema/caller(_:)``.
public struct GraphQLCaller: Sendable {
  /// The user as a number, which is the same for equal values until the program ends.
  package let user: Int64
  /// The session as a number.
  package let session: Int64
  /// Milliseconds until the session's token expires; nil if it does not.
  package let expiresIn: Int64?

  /// Creates a caller from the user and the session.
  ///
  /// - Parameters:
  ///   - user: Identifies the user, such as the primary key.
  ///   - session: Identifies the sign-in, such as the id of a token's session. It must differ from those of all other
  ///     users: if a session connects as another user, its earlier WebSockets and event streams are closed with
  ///     `RIGHTS_CHANGED`. Those of a session are also closed by `GraphQLServer.disconnect(session:)`, and a WebSocket
  ///     accepts only a token of the same session in place of its first one.
  ///   - expiresIn: The time until the token expires, or `nil` if it does not. A WebSocket or an event stream is closed
  ///     a minute after that, unless the client of the WebSocket has sent another token.
  public init(user: some Hashable & Sendable, session: some Hashable & Sendable, expiresIn: Duration? = nil) {
    self.user = Self.number(of: user)
    self.session = Self.number(of: session)
    self.expiresIn = expiresIn?.millisecondsRoundedDown
  }

  /// Creates a caller from the user and the session, which is the user if it is `nil`.
  public init(user: some Hashable & Sendable, session: (some Hashable & Sendable)?, expiresIn: Duration? = nil) {
    if let session {
      self.init(user: user, session: session, expiresIn: expiresIn)
    } else {
      self.init(user: user, session: user, expiresIn: expiresIn)
    }
  }

  /// Creates a caller whose sessions are not distinguished: the user is the session, too.
  ///
  /// - Parameters:
  ///   - user: Identifies the user, such as the primary key.
  ///   - expiresIn: The time until the token expires, or `nil` if it does not.
  public init(user: some Hashable & Sendable, expiresIn: Duration? = nil) {
    self.init(user: user, session: user, expiresIn: expiresIn)
  }

  /// A hash value. It has 64 bits with a random seed, so two users with the same one are not to be expected. Optionals
  /// and integers of other types have that of their value.
  package static func number(of value: some Hashable) -> Int64 {
    if let wrapped = (value as? any OptionalIdentity)?.wrapped { return number(of: wrapped) }
    var hasher = Hasher()
    hasher.combine(AnyHashable(value))
    return Int64(hasher.finalize())
  }
}

private protocol OptionalIdentity {
  var wrapped: (any Hashable)? { get }
}

extension Optional: OptionalIdentity where Wrapped: Hashable {
  fileprivate var wrapped: (any Hashable)? { self }
}

extension GraphQLSchema {
  /// States who the caller of a request is, so that a server can share what it has between its users.
  ///
  /// ```swift
  /// schema.caller { context in
  ///   context.user.map { GraphQLCaller(user: $0.id, session: $0.sessionID, expiresIn: $0.tokenLifetime) }
  /// }
  /// ```
  ///
  /// A user has at most 100 WebSockets and event streams, and an eighth of the memory for the documents of
  /// subscriptions. One whose requests take long waits, so that others are served. For callers that are not known,
  /// each connection has its own eighth of that memory, and the rest is not limited.
  ///
  /// A `GraphQLExecutor` does not use it. The last call replaces those before it.
  ///
  /// - Parameter caller: Returns the caller, or `nil` if it is not known. Called often, and must not block.
  public mutating func caller(_ caller: @escaping @Sendable (Context) -> GraphQLCaller?) { makeCaller = caller }
}
