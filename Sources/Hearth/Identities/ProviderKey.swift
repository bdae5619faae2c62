import Foundation
import JWTKit

/// A key that a provider signs with. It has one algorithm, RS256 or ES256, so that no token can choose another for it.
struct ProviderKey: Sendable {
  let algorithm: any JWTAlgorithm

  /// Nil where it is of another kind, or weak.
  init?(_ key: PublishedKey) async {
    let identifier = JWKIdentifier(string: key.kid)
    let made: (key: JWK, name: String)
    switch (key.kty, key.alg) {
    case ("RSA", nil), ("RSA", "RS256"):
      // 2,048 to 4,096 bits, in base 64 of six bits a letter.
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

/// A key as it is published (RFC 7517).
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

  /// Those of a set that are for signatures. What we do not understand of it is left out: sets may hold keys for
  /// others.
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
