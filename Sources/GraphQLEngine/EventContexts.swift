extension GraphQLSchema {
  /// Makes the context of each event from that of the subscription, for instance with the user's present rights.
  ///
  /// ```swift
  /// schema.eventContext { context in
  ///   guard let user = sessions.user(of: context.token) else {
  ///     throw GraphQLError("Sign in again.", code: "UNAUTHENTICATED")
  ///   }
  ///   return Context(user: user, token: context.token)
  /// }
  /// ```
  ///
  /// Without it, all events have the context with which the subscription began, and its rights. The last call replaces
  /// those before it.
  ///
  /// - Parameter make: Called before each event with the context with which the subscription began. An error that it
  ///   throws ends the subscription, like one of a resolver: the client receives a `GraphQLError`, and for every other
  ///   error `INTERNAL_SERVER_ERROR`. It runs on the server's event loop and must not block.
  public mutating func eventContext(_ make: @escaping @Sendable (Context) throws -> Context) {
    makeEventContext = make
  }
}
