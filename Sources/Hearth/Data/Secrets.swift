import Crypto
import Foundation
import Storage

/// The secret keys of a data folder. They are created once and included in backups.
struct Secrets: Sendable {
  struct Unusable: Error {}

  /// 16 bytes for `IdentifierCipher`.
  let identifierKey: [UInt8]
  /// For access tokens.
  let tokenKeys: SigningKeys
  /// 32 bytes for the proofs in refresh tokens.
  let refreshTokenKey: [UInt8]
  /// 32 bytes for the URLs of pictures.
  let mediaKey: [UInt8]
  /// The private key by which the server identifies itself to push services (P-256, 32 bytes).
  let pushKey: [UInt8]

  static let read = SQL<String>("SELECT value FROM setting WHERE name = \(\.self)")

  /// Reads the keys, and creates missing ones. Writes nothing if all exist, so a server can start on a full disk.
  static func load(from database: Database) async throws -> Secrets {
    if let known = try known(to: database) { return known }
    return try await make(in: database)
  }

  private static func known(to database: Database) throws -> Secrets? {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    guard let identifierKey = try secret("id-key", from: reader),
      let tokenKey = try secret(SigningKeys.name, from: reader),
      let refreshTokenKey = try secret("refresh-token-key", from: reader),
      let mediaKey = try secret("media-key", from: reader),
      let pushKey = try secret("push-key", from: reader)
    else { return nil }
    return Secrets(
      identifierKey: identifierKey,
      tokenKeys: SigningKeys(current: tokenKey, retired: try SigningKeys.retired(reader)),
      refreshTokenKey: refreshTokenKey,
      mediaKey: mediaKey,
      pushKey: pushKey
    )
  }

  private static func make(in database: Database) async throws -> Secrets {
    try await database.write { transaction in
      Secrets(
        identifierKey: try secret("id-key", bytes: 16, in: transaction),
        tokenKeys: SigningKeys(
          current: try secret(SigningKeys.name, bytes: 32, in: transaction),
          retired: try SigningKeys.retired(transaction.reader)
        ),
        refreshTokenKey: try secret("refresh-token-key", bytes: 32, in: transaction),
        mediaKey: try secret("media-key", bytes: 32, in: transaction),
        pushKey: try secret("push-key", fresh: P256.Signing.PrivateKey().rawRepresentation, in: transaction)
      )
    }
  }

  private static func secret(_ name: String, from reader: Reader) throws -> [UInt8]? {
    try reader.first(of: read, name) { row in Array(row.blob(0)) }
  }

  private static func secret(_ name: String, bytes: Int, in transaction: WriteTransaction) throws -> [UInt8] {
    try secret(name, fresh: Data(random(bytes)), in: transaction)
  }

  private static func secret(_ name: String, fresh: Data, in transaction: WriteTransaction) throws -> [UInt8] {
    if let known = try secret(name, from: transaction.reader) { return known }
    let fresh = Array(fresh)
    try transaction.run(Setting.table.insert, Setting(name: name, value: fresh))
    return fresh
  }

  /// Returns bytes of the system's random number generator.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// 256 random bits in base64url.
  static func randomText() -> String {
    Base64URL.encode(random(32))
  }
}
