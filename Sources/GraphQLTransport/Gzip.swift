import Bytes
import CZLib

/// Answers made smaller (RFC 1952), for clients that ask for it.
///
/// What a page in a browser has others fetch for it can be guessed from its compressed size where a secret and what the
/// guesser chose are compressed together. Nothing here is fetched by right of a cookie, so nobody can have it fetched.
enum Gzip {
  /// Below this it would save less than a packet.
  static let smallest = 1024

  enum Level: Int32 {
    /// For what is made anew for each request.
    case fast = 1
    /// For what is made once.
    case good = 9
  }

  /// Nil where it would save nothing.
  static func compressed(_ bytes: [UInt8], level: Level) -> [UInt8]? {
    guard bytes.count >= smallest else { return nil }
    let room = bytes.count - 1
    // Reads `bytes` and writes to `output` no more than it is told there is.
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      count = bytes.withUnsafeBytes { czlib_gzip($0.baseAddress, $0.count, output.baseAddress, room, level.rawValue) }
    }
    return output.isEmpty ? nil : output
  }

  /// What is left empty where it would save nothing.
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
