import EventLoop
import Synchronization
import TestSupport
import Testing

@Suite("LoopTimer", .timeLimit(.minutes(20)))
struct LoopTimerTests {
  @Test func `timers fire in the order of their times and not early`() async throws {
    let loop = try EventLoop()
    let order = Mutex<[UInt64]>([])
    let fired = Counter()
    let early = Counter()
    try await loop.run {
      let start = loop.now
      for delay: UInt64 in [30, 1, 15] {
        loop.schedule(after: delay) {
          if loop.now < start + delay { early.increment() }
          order.withLock { $0.append(delay) }
          fired.increment()
        }
      }
    }
    await fired.wait(for: 3)
    #expect(order.withLock { $0 } == [1, 15, 30])
    #expect(early.count == 0)
    loop.stop()
    loop.join()
  }

  @Test func `a timer that is stopped, closed or restarted does not fire at its old time`() async throws {
    let loop = try EventLoop()
    let wrong = Counter()
    let fired = Counter()
    try await loop.run {
      let stopped = LoopTimer(on: loop) { wrong.increment() }
      stopped.start(after: 1)
      stopped.stop()
      loop.schedule(after: 1) { wrong.increment() }.close()
      let start = loop.now
      let moved = LoopTimer(on: loop) { (loop.now < start + 20 ? wrong : fired).increment() }
      moved.start(after: 1)
      moved.start(after: 20)
    }
    await fired.wait(for: 1)
    #expect(wrong.count == 0)
    loop.stop()
    loop.join()
  }

  @Test func `a scheduled call leaves nothing behind`() async throws {
    let loop = try EventLoop()
    let fired = Counter()
    try await loop.run { _ = loop.schedule(after: 1) { fired.increment() } }
    await fired.wait(for: 1)
    // The close is completed in the turn of the call.
    #expect(try await loop.run { loop.openHandleCount } == 0)
    loop.stop()
    loop.join()
  }
}
