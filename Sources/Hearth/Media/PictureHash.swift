import Bytes
import Crypto

/// The SHA-256 of a picture's stored bytes. It is the name of its file.
struct PictureHash: Hashable, Sendable {
  let bytes: [UInt8]

  init(of content: ArraySlice<UInt8>) { bytes = content.withUnsafeBytes { Array(SHA256.hash(data: $0)) } }

  /// Returns nil unless there are 32 bytes.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == SHA256.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  init?(hexadecimal: String) {
    let digits = Array(hexadecimal.utf8)
    guard digits.count == 2 * SHA256.byteCount else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// Accepts lower-case digits only, so that each file has one name.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }

  /// The first eight bytes, which fit in a hint between processes and tell pictures apart.
  var beginning: Int64 { bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } }

  var hexadecimal: String { bytes.hexadecimal }
}
