import Foundation
import Storage

/// `hearth keys rotate`: replaces the key that signs access tokens. Tokens of the old key stay valid until they expire,
/// unless the old key is revoked immediately: clients then renew their tokens.
package struct RotateKeysRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    /// When no token of an old key is valid any more.
    package let oldTokensExpireAt: Date
  }

  package static let words = "keys rotate"

  package let immediately: Bool

  package init(immediately: Bool) { self.immediately = immediately }

  func run(on server: ControlledServer) async throws -> Response {
    let (services, immediately) = (server.services, immediately)
    let lifetime = services.tokens.lifetime * 1000
    let keys: SigningKeys
    do {
      keys = try await server.write { write in
        try SigningKeys.rotate(lifetime: lifetime, immediately: immediately, in: write)
      }
    } catch is SigningKeys.TooManyRotations {
      throw CommandFailure(
        "The tokens of \(SigningKeys.maximumRetired) earlier keys are still valid: try again later, or use --now."
      )
    }
    await services.adoptStored(keys)
    server.log(immediately ? "has replaced the signing key and revoked the old one." : "has replaced the signing key.")
    let last = keys.retired.map(\.lastExpiry).max() ?? server.now
    return Response(oldTokensExpireAt: Date(milliseconds: last))
  }
}
