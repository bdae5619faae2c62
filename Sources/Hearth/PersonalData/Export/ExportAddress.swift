import Crypto
import Foundation

/// The path of an export's archive below `/export`: a random name, the time until which it can be loaded, and a
/// signature, which cannot be forged. Anybody with the URL can load it until then.
struct ExportAddress: Equatable, Sendable {
  static let prefix = "/export/"

  let name: String
  /// In milliseconds.
  let expiresAt: Int64

  func path(signedWith key: [UInt8]) -> String { "\(Self.prefix)\(name)/\(expiresAt)/\(signature(with: key)).zip" }

  init(name: String, expiresAt: Int64) {
    self.name = name
    self.expiresAt = expiresAt
  }

  /// Parses a result of `path(signedWith:)`.
  init?(path: Substring, signedWith key: [UInt8]) {
    let parts = path.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let expiresAt = Int64(parts[1]), parts[2].hasSuffix(".zip") else { return nil }
    self.init(name: String(parts[0]), expiresAt: expiresAt)
    let given = Array(parts[2].dropLast(4).utf8)
    let expected = Array(signature(with: key).utf8)
    // Compares in constant time.
    guard given.count == expected.count, zip(given, expected).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
  }

  private func signature(with key: [UInt8]) -> String {
    let message = Data("export \(name) \(expiresAt)".utf8)
    return Secrets.text(of: Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))))
  }
}
