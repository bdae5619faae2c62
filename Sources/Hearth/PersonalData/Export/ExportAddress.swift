import Crypto
import Foundation

/// The path of an export's archive below `/export`: its name and a signature, which cannot be forged. Anybody with the
/// URL can load it until it expires.
struct ExportAddress: Equatable, Sendable {
  static let prefix = "/export/"

  /// The time until which the archive can be loaded, `-`, and a random text.
  let name: String
  /// In milliseconds.
  let expiresAt: Int64

  func path(signedWith key: [UInt8]) -> String { "\(Self.prefix)\(name)/\(signature(with: key)).zip" }

  /// Makes a new name.
  init(expiresAt: Int64) {
    name = "\(expiresAt)-\(Secrets.randomText())"
    self.expiresAt = expiresAt
  }

  /// Returns nil if the name does not begin with a time.
  init?(name: String) {
    guard let expiresAt = Int64(name.prefix { $0 != "-" }) else { return nil }
    self.name = name
    self.expiresAt = expiresAt
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
