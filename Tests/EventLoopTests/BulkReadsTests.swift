import Testing

@testable import EventLoop

@Suite("Bulk reads")
struct BulkReadsTests {
  /// Streams that always have more to read than fits into the buffer.
  private struct Streams {
    var reads = BulkReads()
    var lastTurns: [Int]

    init(count: Int) {
      lastTurns = (0..<count).map { _ in 0 }
      // The first read of each shows that it sends much.
      for index in lastTurns.indices { lastTurns[index] = reads.didFill() }
    }

    /// The streams that are read in the next turn, in which libuv asks each of `readable` until it is not read.
    mutating func nextTurn(_ readable: [Int]) -> [Int] {
      reads.beginTurn()
      var read: [Int] = []
      for index in readable {
        while reads.admits(lastTurns[index]) {
          lastTurns[index] = reads.didFill()
          read.append(index)
        }
      }
      return read
    }
  }

  @Test func `one stream is read once in each turn`() {
    var streams = Streams(count: 1)
    for _ in 0..<10 { #expect(streams.nextTurn([0]) == [0]) }
  }

  @Test func `a turn reads one stream, and they take turns`() {
    var streams = Streams(count: 4)
    let read = (0..<400).map { _ in streams.nextTurn([0, 1, 2, 3]) }
    #expect(read.allSatisfy { $0.count == 1 })
    for index in 0..<4 { #expect(read.count { $0 == [index] } == 100) }
    // However libuv orders them.
    var shuffled = Streams(count: 4)
    let others = (0..<400).map { _ in shuffled.nextTurn([0, 1, 2, 3].shuffled()) }
    #expect(others.allSatisfy { $0.count == 1 })
    for index in 0..<4 { #expect((99...101).contains(others.count { $0 == [index] })) }
  }

  @Test func `a stream that has waited long and is gone does not keep the others waiting`() {
    var streams = Streams(count: 3)
    _ = streams.nextTurn([0, 1, 2])
    _ = streams.nextTurn([0, 1, 2])
    // The third one's turn comes, but it has nothing to read any more.
    let read = (0..<10).flatMap { _ in streams.nextTurn([0, 1]) }
    #expect(read.count >= 9)
    #expect(abs(read.count { $0 == 0 } - read.count { $0 == 1 }) <= 1)
  }
}
