import Testing

@testable import Bytes

@Suite("ByteBuffer")
struct ByteBufferTests {
  @Test(arguments: [0, 7, 9, 10, 99, 100, -1, -10, 1_234_567_890, Int64.max, Int64.min])
  func `appends a number as its decimal digits`(number: Int64) {
    var buffer = ByteBuffer()
    buffer.append(decimal: number)
    #expect(buffer.array() == Array(String(number).utf8))
  }

  @Test func `grows and keeps what was written`() {
    var buffer = ByteBuffer(capacity: 1)
    for n in 0..<1000 { buffer.append(UInt8(n % 251)) }
    #expect(buffer.array() == (0..<1000).map { UInt8($0 % 251) })
    buffer.removeFirst(990)
    #expect(buffer.array() == (990..<1000).map { UInt8($0 % 251) })
    buffer.truncate(to: 1)
    #expect(buffer.count == 1)
  }

  /// From the description of the format, and the limits of each length.
  private static let varints: [(UInt64, [UInt8])] = [
    (0, [0]), (1, [1]), (127, [0x7F]), (128, [0x80, 1]), (150, [0x96, 1]), (16_383, [0xFF, 0x7F]),
    (16_384, [0x80, 0x80, 1]), (.max, Array(repeating: 0xFF, count: 9) + [1]),
  ]

  @Test func `appends a number in groups of seven bits`() {
    for (number, bytes) in Self.varints {
      var buffer = ByteBuffer()
      buffer.append(varint: number)
      #expect(buffer.array() == bytes)
    }
  }

  @Test func `replaces a byte by a number, however long it is`() {
    for (number, bytes) in Self.varints where number <= UInt64(Int.max) {
      // The buffer is full, so that it has to grow.
      var buffer = ByteBuffer(capacity: 64)
      for byte in 0..<64 { buffer.append(UInt8(byte)) }
      buffer.replaceByte(at: 60, withVarint: Int(number))
      #expect(buffer.array() == Array(0..<60) + bytes + [61, 62, 63])
      buffer.replaceByte(at: buffer.count - 1, withVarint: Int(number))
      #expect(buffer.array() == Array(0..<60) + bytes + [61, 62] + bytes)
    }
  }

  @Test func `appends the bytes of a number, the lowest first`() {
    var buffer = ByteBuffer()
    buffer.append(littleEndian: 0x0102_0304_0506_0708)
    #expect(buffer.array() == Array((1...8).reversed()))
  }
}
