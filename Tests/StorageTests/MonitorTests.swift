import Basics
import TestSupport
import Testing

@Suite("Monitor")
struct MonitorTests {
  @Test func `a wait without a result ends after its time, by the clock that is never set`() async throws {
    let monitor = Monitor(0)
    let duration = try await TestThread { () -> UInt64 in
      let start = MonotonicClock.nanoseconds
      let result: Int? = monitor.wait(atMost: .milliseconds(20)) { _ in nil }
      return result == nil ? MonotonicClock.nanoseconds - start : 0
    }.value
    #expect(duration >= 20_000_000)
  }

  @Test func `a wait with a time ends with a result`() async throws {
    let monitor = Monitor(0)
    let waiting = TestThread { monitor.wait(atMost: .seconds(600)) { $0 == 0 ? nil : $0 } }
    monitor.withLock { state, _ in state = 7 }
    monitor.broadcast()
    #expect(try await waiting.value == 7)
  }
}
