import Crypto
import Foundation

/// The key by which the server identifies itself to push services (RFC 8292, VAPID). Browsers bind a subscription to
/// its public part.
struct PushKey: Sendable {
  private let key: P256.Signing.PrivateKey
  /// The public key as an uncompressed point, in base64url.
  let publicText: String

  /// - Parameter bytes: the private key.
  init(_ bytes: [UInt8]) throws {
    key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
    publicText = Base64URL.encode(key.publicKey.x963Representation)
  }

  /// How long a token is valid, in seconds. The standard allows a day.
  private static let lifetime: Int64 = 12 * 3_600

  /// The value of the `Authorization` header of requests to a push service.
  ///
  /// - Parameters:
  ///   - origin: the scheme and host of the endpoint.
  ///   - contact: a `mailto:` or `https:` URL of the operator.
  func authorization(for origin: String, contact: String, at now: Int64) throws -> String {
    let claims = PushMessage.json(["aud": origin, "exp": now / 1000 + Self.lifetime, "sub": contact])
    return "vapid t=\(try JSONWebToken.text(claims: claims, signedBy: key)), k=\(publicText)"
  }
}
