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
}
