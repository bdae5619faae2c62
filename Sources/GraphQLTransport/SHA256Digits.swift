import Bytes
import Crypto

/// The SHA-256 of some bytes, in hexadecimal digits.
enum SHA256Digits {
  static func hex(of bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hex(of: $0) } }

  static func hex(of bytes: UnsafeRawBufferPointer) -> [UInt8] { SHA256.hash(data: bytes).hexadecimalDigits }
}
