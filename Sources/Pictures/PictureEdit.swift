/// An edit of a picture's bytes that keeps their number. Its offsets are valid in the bytes in which it was found.
enum PictureEdit: Sendable, Equatable {
  case fill(Range<Int>, with: UInt8)
  case replace(at: Int, with: [UInt8])
  /// Updates the CRC-32 that follows a range, after other edits of the range.
  case checksum(of: Range<Int>)

  func apply(to bytes: inout [UInt8]) {
    switch self {
    case .fill(let range, let filling):
      for index in range { bytes[index] = filling }
    case .replace(let offset, let new):
      bytes.replaceSubrange(offset..<(offset + new.count), with: new)
    case .checksum(let range):
      let sum = CRC32.of(bytes[range])
      for offset in 0..<4 { bytes[range.upperBound + offset] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * offset)) }
    }
  }
}

/// The checksum of PNG's chunks (PNG, annex D).
enum CRC32 {
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
    return ~sum
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }
}
