import EventLoop
import GraphQL

/// `matchFacebookFriends`: finds those of somebody's friends at Facebook who sign in here with it too.
///
/// The token is the app's own, as at signing in, and need not be of the account that the viewer has linked: it shows by
/// itself whose friends it may tell of.
enum FacebookFriends {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let services = context.services
    guard let token = arguments["accessToken"]?.string, !token.isEmpty else {
      throw Refused(["accessToken"], .blank, "A token is needed.")
    }
    guard let verifier = services.identityVerifiers[.facebook] else {
      throw Refused(["accessToken"], .notAllowed, "Facebook is not set up here.")
    }
    try context.take(.friendLookup, by: .person(viewer.member))
    context.willSuspend()
    do {
      let friends = try await friends(of: verifier, token, context)
      return Payload(matches: try await services.addressBooks.match(friends, for: viewer.member))
    } catch is WorkerPool.Overloaded {
      throw FieldError("Too many address books are being matched: try again in a few seconds.", code: .overloaded)
    }
  }

  private static func friends(
    of verifier: IdentityVerifier,
    _ token: String,
    _ context: RequestContext
  ) async throws -> [FacebookGraph.Friend] {
    do throws(IdentityFailure) {
      return try await verifier.friends(with: token, at: context.now) ?? []
    } catch {
      switch error {
      case .refused(_, let code, let message): throw Refused(["accessToken"], code, message)
      case .unavailable(let reason): throw IdentityInput.unavailable(.facebook, reason, context)
      }
    }
  }
}
