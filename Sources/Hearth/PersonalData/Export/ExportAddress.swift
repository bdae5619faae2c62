import Crypto
import Foundation

/// The path of an export's archive below `/export`: its name and a signature, which cannot be forged. Anybody with the
/// URL can load it until it expires.
struct ExportAddress: Equatable, Sendable {
  static let prefix = "/export/"

  /// The time until which the archive can be loaded, the ids of the family and of the member whose data it has, and a
  /// random text, with `-` in between.
  let name: String
  /// In milliseconds.
  let expiresAt: Int64
  /// The id of the member's family.
  let family: String
  let member: String

  func path(signedWith key: [UInt8]) -> String { "\(Self.prefix)\(name)/\(signature(with: key)).zip" }

  /// Makes a new name.
  init(of member: MemberKey, expiresAt: Int64, _ cipher: IdentifierCipher) {
    self.expiresAt = expiresAt
    family = cipher.text(of: member.family)
    self.member = cipher.text(of: member.member)
    name = "\(expiresAt)-\(family)-\(self.member)-\(Secrets.randomText())"
  }

  /// Returns nil if the name does not have the form of one.
  init?(name: String) {
    // The random text can contain `-`.
    let parts = name.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let expiresAt = Int64(parts[0]) else { return nil }
    self.name = name
    self.expiresAt = expiresAt
    family = String(parts[1])
    member = String(parts[2])
  }

  /// Parses a result of `path(signedWith:)`.
  init?(path: Substring, signedWith key: [UInt8]) {
    let parts = path.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix(".zip") else { return nil }
    self.init(name: String(parts[0]))
    guard parts[1].dropLast(4).utf8.equalsInConstantTime(signature(with: key).utf8) else { return nil }
  }

  private func signature(with key: [UInt8]) -> String {
    let message = Data("export \(name)".utf8)
    return Base64URL.encode(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
  }
}
