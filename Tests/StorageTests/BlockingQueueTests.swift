import Basics
import Testing

@Suite("Blocking queue")
struct BlockingQueueTests {
  private final class Item: Sendable {}

  @Test func `a removed element is released although others wait`() throws {
    let queue = BlockingQueue<Item>(limit: 10)
    weak var first: Item?
    weak var second: Item?
    do {
      let items = (0..<4).map { _ in Item() }
      (first, second) = (items[0], items[1])
      for item in items { try queue.append(item) }
    }
    #expect(queue.next(atMost: 1)?.count == 1)
    #expect(first == nil && second != nil && queue.count == 3)
  }

  @Test func `elements that are put back come first, also in a full and closed queue`() throws {
    let queue = BlockingQueue<Int>(limit: 4)
    for element in 0..<4 { try queue.append(element) }
    #expect(throws: QueueRejection.full) { try queue.append(4) }
    #expect(queue.next(atMost: 3) == [0, 1, 2])
    for element in 4..<7 { try queue.append(element) }
    queue.close()
    #expect(throws: QueueRejection.closed) { try queue.append(7) }
    queue.putBack([1, 2])
    queue.putBackLast(0)
    #expect(queue.removeFirst { $0 < 3 } == [1, 2])
    #expect(queue.next(atMost: 10) == [3, 4, 5, 6, 0])
    #expect(queue.next(atMost: 10) == nil)
  }
}
