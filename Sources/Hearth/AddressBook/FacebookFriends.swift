import EventLoop
import GraphQL
import GraphQLTransport

/// `matchFacebookFriends`: finds the Facebook friends who also sign in with Facebook.
///
/// The token was issued to the app, as for signing in. It need not belong to the identity that the viewer has linked,
/// because the token itself authorizes access to the friends.
enum FacebookFriends {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let services = context.services
    guard let token = arguments["accessToken"]?.string, !token.isEmpty else {
      throw RejectedInput(["accessToken"], code: .blank, message: "A token is required.")
    }
    guard let verifier = services.identityVerifiers[.facebook] else {
      throw RejectedInput(["accessToken"], code: .notAllowed, message: "Facebook is not enabled on this server.")
    }
    try await context.take(.friendLookup, by: .person(viewer.member))
    context.willSuspend()
    do {
      let friends = try await friends(of: verifier, token: token, in: context)
      let matches = try await services.addressBooks.match(friends, for: viewer.member)
      try await context.requireSameCaller()
      return Payload(matches: matches)
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many address books are being matched: try again in a few seconds.", code: .overloaded)
    }
  }

  private static func friends(
    of verifier: IdentityVerifier,
    token: String,
    in context: RequestContext
  ) async throws -> [FacebookGraph.Friend] {
    do throws(IdentityFailure) {
      return try await verifier.friends(with: token, at: context.now) ?? []
    } catch {
      switch error {
      case .rejected(_, let code, let message): throw RejectedInput(["accessToken"], code: code, message: message)
      case .unavailable(let reason): throw IdentityInput.unavailable(.facebook, reason: reason, in: context)
      }
    }
  }
}
