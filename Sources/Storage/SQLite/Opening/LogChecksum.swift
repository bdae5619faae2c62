/// The checksum of a write-ahead log, which each frame continues (https://sqlite.org/fileformat2.html, section 4.2).
struct LogChecksum: Equatable {
  private let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// - Parameter bytes: a multiple of eight.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        first = first &+ word(bytes, at: offset) &+ second
        second = second &+ word(bytes, at: offset + 4) &+ first
      }
    }
  }

  private func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }

  /// Whether the checksum is stored in `bytes` at `offset`.
  func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
    bytes.bigEndian(at: offset) == first && bytes.bigEndian(at: offset + 4) == second
  }
}

extension [UInt8] {
  /// The number in the four bytes at `offset`.
  func bigEndian(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { number, byte in number << 8 | UInt32(byte) }
  }
}
