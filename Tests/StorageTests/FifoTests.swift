import Basics
import Testing

@Suite("First-in, first-out queues")
struct FifoTests {
  private static func elements(of queue: Fifo<Int>) -> [Int] {
    var queue = queue
    var elements: [Int] = []
    while let element = queue.popFirst() { elements.append(element) }
    return elements
  }

  @Test func `return their elements in order, however many were removed before`() {
    var queue = Fifo<Int>()
    var next = 0
    for last in 0..<200 {
      queue.append(last)
      if last % 3 == 0 { continue }
      #expect(queue.popFirst() == next)
      next += 1
    }
    #expect(queue.count == 200 - next)
    #expect(Self.elements(of: queue) == Array(next..<200))
  }

  @Test func `remove the elements that fulfil a condition, and keep the order of the others`() {
    var queue = Fifo<Int>()
    for element in 0..<10 { queue.append(element) }
    for _ in 0..<3 { _ = queue.popFirst() }
    queue.removeAll { $0 % 2 == 0 }
    #expect(queue.count == 4)
    queue.append(10)
    queue.prepend(1)
    #expect(Self.elements(of: queue) == [1, 3, 5, 7, 9, 10])
    queue.removeAll { _ in true }
    #expect(queue.isEmpty && queue.popFirst() == nil)
  }

  @Test func `hold nil as an element`() {
    var queue = Fifo<Int?>()
    queue.append(nil)
    queue.append(1)
    #expect(queue.popFirst() == .some(nil))
    #expect(queue.popFirst() == 1)
    #expect(queue.popFirst() == .none)
  }
}
