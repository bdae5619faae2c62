import GraphQL
import Logging

/// The input of `signInWithIdentity` and `linkIdentity`.
enum IdentityInput {
  /// The identity that the provider has verified; nil if it has not, with the errors in the form.
  static func identity(_ form: inout InputForm, in context: RequestContext) async throws -> VerifiedIdentity? {
    guard let given = token(&form, in: context) else { return nil }
    return try await identity(of: given, &form, in: context)
  }

  /// A token that is not verified yet.
  struct Token {
    let provider: IdentityProvider
    let verifier: IdentityVerifier
    let text: String
  }

  /// The token; nil if the form has none or names no provider of the server.
  static func token(_ form: inout InputForm, in context: RequestContext) -> Token? {
    guard let provider = form["provider"]?.string.flatMap(IdentityProvider.init(rawValue:)) else { return nil }
    guard let verifier = context.services.identityVerifiers[provider] else {
      form.reject(
        "provider",
        code: .notAllowed,
        message: "Signing in with \(provider.title, as: "provider") is not enabled on this server."
      )
      return nil
    }
    guard let token = form["token"]?.string, !token.isEmpty else {
      form.reject("token", code: .blank, message: "A token is required.")
      return nil
    }
    return Token(provider: provider, verifier: verifier, text: token)
  }

  /// The identity that the provider has verified; nil if it has not, with the errors in the form.
  static func identity(
    of token: Token,
    _ form: inout InputForm,
    in context: RequestContext
  ) async throws -> VerifiedIdentity? {
    try await context.take(.providerToken)
    context.willSuspend()
    do throws(IdentityFailure) {
      return try await token.verifier.verify(token.text, nonce: form["nonce"]?.string, at: context.now)
    } catch {
      switch error {
      case .rejected(let field, let code, let message): form.reject(field, code: code, message: message)
      case .unavailable(let reason): throw unavailable(token.provider, reason: reason, in: context)
      }
      return nil
    }
  }

  /// - Parameter reason: is logged, not sent.
  static func unavailable(_ provider: IdentityProvider, reason: String, in context: RequestContext) -> FieldError {
    context.services.log.warning(
      "An identity provider is unavailable.",
      metadata: ["provider": "\(provider.title)", "reason": "\(reason)"]
    )
    return FieldError(
      "\(provider.title) is unavailable: try again later.",
      code: .providerUnavailable
    )
  }
}

extension ErrorCode {
  static let providerUnavailable = ErrorCode(rawValue: "PROVIDER_UNAVAILABLE")
}
