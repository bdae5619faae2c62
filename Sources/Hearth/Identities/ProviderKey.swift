import Foundation
import JWTKit

/// A provider's signing key. It has one algorithm, RS256 or ES256, so that a token cannot choose another.
struct ProviderKey: Sendable {
  let algorithm: any JWTAlgorithm

  /// Returns nil for unsupported or weak keys.
  init?(_ key: PublishedKey) async {
    let identifier = JWKIdentifier(string: key.kid)
    let made: (key: JWK, name: String)
    switch (key.kty, key.alg) {
    case ("RSA", nil), ("RSA", "RS256"):
      // 2,048 to 4,096 bits, at six bits per base 64 character.
      guard let modulus = key.n, (341...684).contains(modulus.utf8.count), let exponent = key.e,
        (1...8).contains(exponent.utf8.count)
      else { return nil }
      made = (.rsa(.rs256, identifier: identifier, modulus: modulus, exponent: exponent), "RS256")
    case ("EC", nil), ("EC", "ES256"):
      guard key.crv == "P-256", let x = key.x, let y = key.y else { return nil }
      made = (.ecdsa(.es256, identifier: identifier, x: x, y: y, curve: .p256), "ES256")
    default: return nil
    }
    let collection = JWTKeyCollection()
    guard (try? await collection.add(jwk: made.key)) != nil,
      let algorithm = try? await collection.getKey(for: identifier, alg: made.name)
    else { return nil }
    self.algorithm = algorithm
  }
}

/// A published key (RFC 7517).
struct PublishedKey: Decodable, Sendable {
  let kty: String
  let kid: String
  let use: String?
  let alg: String?
  let n: String?
  let e: String?
  let crv: String?
  let x: String?
  let y: String?

  /// The signing keys of a set. Keys that cannot be decoded are skipped, because a set may contain keys for other
  /// purposes.
  static func set(_ json: [UInt8]) -> [PublishedKey]? {
    struct Lenient: Decodable {
      let key: PublishedKey?
      init(from decoder: any Decoder) throws { key = try? PublishedKey(from: decoder) }
    }
    struct Keys: Decodable { let keys: [Lenient] }
    guard let keys = try? JSONDecoder().decode(Keys.self, from: Data(json)) else { return nil }
    return keys.keys.compactMap(\.key).filter { $0.use == nil || $0.use == "sig" }
  }
}
