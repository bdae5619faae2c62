import GraphQLTransport

/// The caller of a request, with what the server has found out by its token. The context of a request is made from it,
/// and so are those of a subscription's events, for which it is kept as long as the subscription is open: with the
/// context itself, an idle socket took 290 bytes more.
package struct IdentifiedCaller: Sendable {
  /// Nil if the caller is not signed in.
  let viewer: Viewer?
  let tokenFault: TokenFault?
  let tokenExpiresAt: Int64?
  let caller: Caller
}

// Initializers are in an extension: the one of the members makes the caller of a subscription's events.
extension IdentifiedCaller {
  init(_ caller: Caller, as admission: SessionCache.Admission) {
    self.init(viewer: admission.viewer, tokenFault: nil, tokenExpiresAt: admission.expiresAt, caller: caller)
  }

  /// - Parameter fault: Nil if the request has no token.
  init(_ caller: Caller, fault: TokenFault?) {
    self.init(viewer: nil, tokenFault: fault, tokenExpiresAt: nil, caller: caller)
  }
}
