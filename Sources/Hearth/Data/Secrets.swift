import Foundation
import Storage

/// The keys that a data directory holds: made once, and carried by its backups.
struct Secrets: Sendable {
  struct Unusable: Error {}

  /// For `IdentifierCipher`: 16 bytes.
  let identifierKey: [UInt8]
  /// For access tokens: 32 bytes.
  let tokenKey: [UInt8]
  /// For the proofs in refresh tokens: 32 bytes.
  let refreshTokenKey: [UInt8]
  /// For the addresses of pictures: 32 bytes.
  let mediaKey: [UInt8]

  static let read = SQL<String>("SELECT value FROM setting WHERE name = \(\.self)")

  /// Reads them, and makes those that are missing. Where none is, nothing is written: a server can start on a full
  /// disk.
  static func load(from database: Database) async throws -> Secrets {
    if let known = try known(to: database) { return known }
    return try await make(in: database)
  }

  private static func known(to database: Database) throws -> Secrets? {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    guard let identifierKey = try secret("id-key", reader), let tokenKey = try secret("token-key", reader),
      let refreshTokenKey = try secret("refresh-token-key", reader), let mediaKey = try secret("media-key", reader)
    else { return nil }
    return Secrets(
      identifierKey: identifierKey,
      tokenKey: tokenKey,
      refreshTokenKey: refreshTokenKey,
      mediaKey: mediaKey
    )
  }

  private static func make(in database: Database) async throws -> Secrets {
    try await database.write { transaction in
      Secrets(
        identifierKey: try secret("id-key", bytes: 16, transaction),
        tokenKey: try secret("token-key", bytes: 32, transaction),
        refreshTokenKey: try secret("refresh-token-key", bytes: 32, transaction),
        mediaKey: try secret("media-key", bytes: 32, transaction)
      )
    }
  }

  private static func secret(_ name: String, _ reader: Reader) throws -> [UInt8]? {
    try reader.first(of: read, name) { row in Array(row.blob(0)) }
  }

  private static func secret(_ name: String, bytes: Int, _ transaction: WriteTransaction) throws -> [UInt8] {
    if let known = try secret(name, transaction.reader) { return known }
    let fresh = random(bytes)
    try transaction.run(Setting.table.insert, Setting(name: name, value: fresh))
    return fresh
  }

  /// From the system's generator.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// 256 random bits as a word for links.
  static func randomText() -> String {
    text(of: random(32))
  }

  /// Bytes as a word for links (RFC 4648, section 5), without padding.
  static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The bytes of such a word; nil for any other text.
  static func bytes(of text: String) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + padding
    return Data(base64Encoded: base64).map(Array.init)
  }
}
