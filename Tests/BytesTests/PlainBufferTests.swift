import Bytes
import Testing

@Suite("PlainBuffer")
struct PlainBufferTests {
  private func buffer(_ elements: Range<Int>) -> PlainBuffer<Int> {
    var buffer = PlainBuffer<Int>()
    for element in elements { buffer.append(element) }
    return buffer
  }

  private func elements(of buffer: borrowing PlainBuffer<Int>) -> [Int] {
    var elements: [Int] = []
    for index in buffer.indices { elements.append(buffer[index]) }
    return elements
  }

  @Test(arguments: [0, 1, 30, 40])
  func `moves the rest to the front`(length: Int) {
    var buffer = buffer(0..<40)
    buffer.removeFirst(length)
    buffer.append(-1)
    let rest = elements(of: buffer)
    #expect(rest == Array(length..<40) + [-1])
  }

  @Test func `removes what a condition applies to`() {
    var buffer = buffer(0..<10)
    buffer.removeAll { $0 % 3 == 0 }
    let rest = elements(of: buffer)
    #expect(rest == [1, 2, 4, 5, 7, 8])
    buffer.removeAll { _ in true }
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
  }
}
