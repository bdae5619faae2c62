import Crypto
import Pictures

/// The path of an uploaded picture below `/media`: its hash and a signature, which cannot be forged. Anybody who knows
/// the URL can load the picture without authentication, as an `img` element does. The URL stays the same as long as the
/// picture is in use.
struct PictureAddress: Equatable, Sendable {
  let hash: PictureHash
  let format: PictureFormat

  private static let signatureBytes = 16

  init(_ hash: PictureHash, format: PictureFormat) {
    self.hash = hash
    self.format = format
  }

  func path(signedWith key: [UInt8]) -> String {
    "picture/\(hash.hexadecimal)/\(Self.hexadecimal(signature(with: key))).\(format.fileExtension)"
  }

  /// Parses a result of `path(signedWith:)`.
  init?(path: Substring, signedWith key: [UInt8]) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "picture", let hash = PictureHash(hexadecimal: String(parts[1])) else {
      return nil
    }
    let name = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard name.count == 2, let format = PictureFormat.allCases.first(where: { $0.fileExtension == name[1] }) else {
      return nil
    }
    self.init(hash, format: format)
    let expected = Array(Self.hexadecimal(signature(with: key)).utf8)
    let given = Array(name[0].utf8)
    // Compares in constant time.
    guard given.count == expected.count, zip(given, expected).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
  }

  private func signature(with key: [UInt8]) -> [UInt8] {
    let message = hash.bytes + [UInt8(truncatingIfNeeded: format.rawValue)]
    return Array(
      HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)).prefix(Self.signatureBytes)
    )
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
