import Bytes
import CDeflate

/// Compresses with gzip (RFC 1952). Confined to one thread.
///
/// Compression can leak a secret through the size of a response that contains both the secret and text chosen by an
/// attacker (BREACH). The attack needs a browser that sends requests with the victim's credentials for the attacker's
/// page. Nothing here is authorized by cookies, so that this is impossible.
final class GzipCompressor {
  /// Smaller bodies are not compressed, because that would save less than a packet.
  static let smallest = 1024

  enum Level: Int32 {
    /// For responses that are compressed for each request.
    case fast = 1
    /// For content that is compressed once.
    case good = 9
  }

  private let level: Level
  /// The library's memory, allocated with the first use. It is kept, because a new one takes 4 µs, a quarter of the
  /// time of a response of 5 KB.
  private var memory: OpaquePointer?

  init(_ level: Level) { self.level = level }

  deinit { libdeflate_free_compressor(memory) }

  /// Returns nil if compression saves nothing.
  func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= Self.smallest else { return nil }
    let room = bytes.count - 1
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      guard let start = output.baseAddress else { return }
      count = bytes.withUnsafeBytes { compress($0, into: start, room: room) }
    }
    return output.isEmpty ? nil : output
  }

  /// Returns an empty buffer if compression saves nothing.
  func compressed(_ body: borrowing ByteBuffer) -> ByteBuffer {
    var output = ByteBuffer()
    guard body.count >= Self.smallest else { return output }
    let room = body.count - 1
    body.withUnsafeBytes { bytes in
      output.appendUnsafe(capacity: room) { compress(bytes, into: $0, room: room) }
    }
    return output
  }

  /// Compresses `bytes` to `start`, which has room for `room` bytes: the library accesses no others. Returns how many
  /// it wrote; 0 if the result does not fit.
  private func compress(_ bytes: UnsafeRawBufferPointer, into start: UnsafeMutableRawPointer, room: Int) -> Int {
    if memory == nil { memory = libdeflate_alloc_compressor(level.rawValue) }
    guard let memory else { return 0 }
    return libdeflate_gzip_compress(memory, bytes.baseAddress, bytes.count, start, room)
  }
}
