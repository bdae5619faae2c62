import Testing

@testable import EventLoop

@Suite("Fair queue")
struct FairQueueTests {
  private static func lane(_ client: Int, kind: UInt8 = 0) -> WorkLane { WorkLane(kind: kind, client: client) }

  private static func popAll(_ queue: inout FairQueue<String>) -> [String] {
    var popped: [String] = []
    while let element = queue.popFirst() { popped.append(element) }
    return popped
  }

  @Test func `one lane is first in, first out`() {
    var queue = FairQueue<String>(laneLimit: 100)
    for number in 0..<80 {
      guard case .accepted = queue.append("\(number)", to: .common, limit: 100) else {
        Issue.record("\(number) was rejected.")
        return
      }
    }
    #expect(queue.count == 80)
    #expect(Self.popAll(&queue) == (0..<80).map(String.init))
    #expect(queue.isEmpty)
    #expect(queue.popFirst() == nil)
  }

  @Test func `lanes take turns, whatever their length`() {
    var queue = FairQueue<String>(laneLimit: 100)
    for number in 0..<4 { _ = queue.append("a\(number)", to: Self.lane(1), limit: 100) }
    _ = queue.append("b0", to: Self.lane(2), limit: 100)
    _ = queue.append("b1", to: Self.lane(2), limit: 100)
    _ = queue.append("c0", to: Self.lane(3), limit: 100)
    #expect(Self.popAll(&queue) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
  }

  @Test func `kinds take turns, however many lanes each has`() {
    var queue = FairQueue<String>(laneLimit: 100)
    for client in 0..<5 { _ = queue.append("r\(client)", to: Self.lane(client, kind: 1), limit: 100) }
    _ = queue.append("s", to: Self.lane(9, kind: 2), limit: 100)
    #expect(Self.popAll(&queue) == ["r0", "s", "r1", "r2", "r3", "r4"])
  }

  @Test func `a lane holds no more than its share`() {
    var queue = FairQueue<String>(laneLimit: 2)
    for _ in 0..<2 { _ = queue.append("a", to: Self.lane(1), limit: 100) }
    guard case .rejected = queue.append("a", to: Self.lane(1), limit: 100) else {
      Issue.record("The lane is longer than its limit.")
      return
    }
    #expect(queue.count == 2)
  }

  @Test func `a full queue takes from the longest lane, its newest first, and never from a shorter one`() {
    var queue = FairQueue<String>(laneLimit: 100)
    for number in 0..<4 { _ = queue.append("a\(number)", to: Self.lane(1), limit: 4) }
    guard case .displaced("a3") = queue.append("b0", to: Self.lane(2), limit: 4) else {
      Issue.record("Nothing was displaced.")
      return
    }
    guard case .displaced("a2") = queue.append("b1", to: Self.lane(2), limit: 4) else {
      Issue.record("Nothing was displaced.")
      return
    }
    // Both have two now.
    for lane in [1, 2, 1, 2] {
      guard case .rejected = queue.append("more", to: Self.lane(lane), limit: 4) else {
        Issue.record("More than the limit was accepted.")
        return
      }
    }
    #expect(Self.popAll(&queue) == ["a0", "b0", "a1", "b1"])
  }

  @Test func `the larger kind gives way when the queue is full, even of lanes with one element`() {
    var queue = FairQueue<String>(laneLimit: 100)
    for client in 0..<4 { _ = queue.append("r\(client)", to: Self.lane(client, kind: 1), limit: 4) }
    for number in 0..<2 {
      guard case .displaced = queue.append("s\(number)", to: Self.lane(10 + number, kind: 2), limit: 4) else {
        Issue.record("A kind with many lanes kept the other out.")
        return
      }
    }
    guard case .rejected = queue.append("s2", to: Self.lane(12, kind: 2), limit: 4) else {
      Issue.record("A kind with half of the queue displaced the other.")
      return
    }
    let popped = Self.popAll(&queue)
    #expect(popped.count == 4)
    #expect(popped.filter { $0.hasPrefix("s") } == ["s0", "s1"])
    #expect(popped[1] == "s0")
  }
}
