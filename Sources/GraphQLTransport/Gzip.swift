import Bytes
import CZLib

/// Compresses responses with gzip (RFC 1952).
///
/// Compression can leak a secret through the size of a response that contains both the secret and text chosen by an
/// attacker (BREACH). The attack needs a browser that sends requests with the victim's credentials for the attacker's
/// page. Nothing here is authorized by cookies, so that this is impossible.
enum Gzip {
  /// Smaller bodies are not compressed, because that would save less than a packet.
  static let smallest = 1024

  enum Level: Int32 {
    /// For responses that are compressed for each request.
    case fast = 1
    /// For content that is compressed once.
    case good = 9
  }

  /// Returns nil if compression saves nothing.
  static func compressed(_ bytes: [UInt8], level: Level) -> [UInt8]? {
    guard bytes.count >= smallest else { return nil }
    let room = bytes.count - 1
    // Reads `bytes` and writes at most `room` bytes to `output`.
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      count = bytes.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, output.baseAddress, room, level.rawValue) }
    }
    return output.isEmpty ? nil : output
  }

  /// Returns an empty buffer if compression saves nothing.
  static func compressed(_ body: borrowing ByteBuffer, level: Level) -> ByteBuffer {
    var output = ByteBuffer()
    guard body.count >= smallest else { return output }
    let room = body.count - 1
    body.withUnsafeBytes { bytes in
      output.appendUnsafe(capacity: room) { czlib_gzip(bytes.baseAddress, bytes.count, $0, room, level.rawValue) }
    }
    return output
  }
}
