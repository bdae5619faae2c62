import Foundation
import JWTKit

/// A parsed JSON Web Token (RFC 7519) whose signature is not verified yet.
struct SignedToken: Sendable {
  private struct Header: Decodable {
    let alg: String
    let kid: String?
    /// Extensions that must be understood (RFC 7515, section 4.1.11). Tokens with any are rejected.
    let crit: [String]?
  }

  /// Actual tokens have some 1,000 bytes.
  static let maximumSize = 16 << 10

  let algorithm: String
  let keyID: String
  private let signed: [UInt8]
  private let payload: Data
  private let signature: Data

  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumSize else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
      let header = try? JSONDecoder().decode(Header.self, from: head), header.crit == nil, let keyID = header.kid
    else { return nil }
    algorithm = header.alg
    self.keyID = keyID
    signed = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
    self.payload = payload
    self.signature = signature
  }

  /// Returns the claims if the key's signature is valid, and nil otherwise. The key determines the algorithm, whatever
  /// the token says.
  func claims(signedBy key: ProviderKey) -> IdentityClaims? {
    guard algorithm == key.algorithm.name, (try? key.algorithm.verify(signature, signs: signed)) == true else {
      return nil
    }
    return try? JSONDecoder().decode(IdentityClaims.self, from: payload)
  }
}
