import Crypto
import CryptoExtras
import Foundation

/// Tokens by which the server identifies itself to push services (RFC 7519).
enum JSONWebToken {
  /// A token with an ES256 signature.
  static func text(
    claims: [UInt8],
    signedBy key: P256.Signing.PrivateKey,
    keyID: String? = nil
  ) throws -> String {
    let signed = signedText("ES256", claims: claims, keyID: keyID)
    return signed + "." + Base64URL.encode(try key.signature(for: Data(signed.utf8)).rawRepresentation)
  }

  /// A token with an RS256 signature.
  static func text(
    claims: [UInt8],
    signedBy key: _RSA.Signing.PrivateKey,
    keyID: String? = nil
  ) throws -> String {
    let signed = signedText("RS256", claims: claims, keyID: keyID)
    let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
    return signed + "." + Base64URL.encode(signature.rawRepresentation)
  }

  private static func signedText(_ algorithm: String, claims: [UInt8], keyID: String?) -> String {
    var header: [String: Any] = ["alg": algorithm, "typ": "JWT"]
    header["kid"] = keyID
    return Base64URL.encode(PushMessage.json(header)) + "." + Base64URL.encode(claims)
  }
}
