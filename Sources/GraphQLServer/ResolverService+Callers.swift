import GraphQLEngine
import GraphQLTransport
import HTTPServer

/// The callers that the application names: whose requests count together, and which connections belong to a session.
extension ResolverService {
  func payer(of context: ResolverContext<Value>) -> Payer? { caller(of: context).map { Payer(person: $0.user) } }

  /// A caller that is not known is charged as its connection: one client must not use up what all have. Its address
  /// would be the same for all clients behind a proxy.
  func subscriptionPayer(of context: ResolverContext<Value>, over connection: ObjectIdentifier) -> Int? {
    payer(of: context)?.hashValue ?? connection.hashValue
  }

  func identity(of context: ResolverContext<Value>) -> ConnectionIdentity {
    guard let caller = caller(of: context) else { return .anonymous }
    return .signedIn(
      SessionIdentity(
        id: caller.session,
        rights: caller.user,
        person: caller.user,
        expiresIn: caller.expiresIn
      )
    )
  }

  func whenSessionsChange(_ body: @escaping @Sendable ([Int64]?, SessionChange) -> Void) {
    sessions.whenEnded { body([$0], .ended) }
  }

  private func caller(of context: ResolverContext<Value>) -> GraphQLCaller? {
    makeCaller.flatMap { $0(context.value) }
  }
}
