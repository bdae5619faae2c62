import Bytes
import Crypto
import Pictures

/// The path of an uploaded picture, or of one of its sizes, below `/media`: its hash and a signature, which cannot be
/// forged. Anybody who knows the URL can load the picture without authentication, as an `img` element does. The URL
/// stays the same as long as the picture is in use.
struct PictureAddress: Hashable, Sendable {
  let hash: PictureHash
  /// The format of what is at the address.
  let format: PictureFormat
  /// Nil for the picture as it was uploaded.
  let size: PictureSize?

  private static let signatureBytes = 16

  init(_ hash: PictureHash, format: PictureFormat, size: PictureSize? = nil) {
    self.hash = hash
    self.format = format
    self.size = size
  }

  /// The address of a size of the uploaded picture at this address.
  func scaled(to size: PictureSize) -> PictureAddress { PictureAddress(hash, format: format.scaled, size: size) }

  /// `picture/HASH/SIGNATURE.jpg`, or `picture/HASH/256/SIGNATURE.jpg`.
  func path(signedWith key: [UInt8]) -> String {
    let size = size.map { "\($0.rawValue)/" } ?? ""
    return "picture/\(hash.hexadecimal)/\(size)\(signature(with: key).hexadecimal).\(format.fileExtension)"
  }

  /// Parses a result of `path(signedWith:)`.
  init?(path: Substring, signedWith key: [UInt8]) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard 3...4 ~= parts.count, parts[0] == "picture", let hash = PictureHash(hexadecimal: String(parts[1])) else {
      return nil
    }
    let name = parts[parts.count - 1].split(separator: ".", omittingEmptySubsequences: false)
    guard name.count == 2, let format = PictureFormat.allCases.first(where: { $0.fileExtension == name[1] }) else {
      return nil
    }
    var size: PictureSize?
    if parts.count == 4 {
      size = PictureSize.allCases.first { String($0.rawValue) == parts[2] }
      guard size != nil else { return nil }
    }
    self.init(hash, format: format, size: size)
    guard name[0].utf8.equalsInConstantTime(signature(with: key).hexadecimalDigits) else { return nil }
  }

  private func signature(with key: [UInt8]) -> [UInt8] {
    var message = hash.bytes + [UInt8(truncatingIfNeeded: format.rawValue)]
    if let size { message += [UInt8(size.rawValue >> 8), UInt8(size.rawValue & 0xFF)] }
    return Array(
      HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)).prefix(Self.signatureBytes)
    )
  }
}
