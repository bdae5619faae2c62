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

  @Test func `several elements are put in front, however many were removed before`() {
    for removed in 0..<6 {
      var queue = Fifo<Int>()
      for element in 0..<10 { queue.append(element) }
      for _ in 0..<removed { _ = queue.popFirst() }
      queue.prepend(contentsOf: [20, 21, 22])
      queue.prepend(contentsOf: [])
      #expect(Self.elements(of: queue) == [20, 21, 22] + Array(removed..<10))
    }
  }

  @Test func `the first element stays if it does not fulfil a condition`() {
    var queue = Fifo<Int>()
    for element in [1, 3, 4, 5] { queue.append(element) }
    var odd: [Int] = []
    while let element = queue.popFirst(if: { $0 % 2 == 1 }) { odd.append(element) }
    #expect(odd == [1, 3])
    #expect(Self.elements(of: queue) == [4, 5])
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
