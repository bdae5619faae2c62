import Testing

@testable import GraphQLTransport

@Suite("Measuring the time that a loop works")
struct LoopStopwatchTests {
  private static let shortTime: UInt64 = 200_000
  private static let second: UInt64 = 1_000_000_000

  /// Measures work that begins at `start`, and takes as much elapsed and processor time.
  private func measure(
    _ stopwatch: inout LoopStopwatch,
    at start: UInt64,
    elapsed: UInt64,
    processor: UInt64
  ) -> UInt64? {
    let begun = stopwatch.start(at: start, processor: 7)
    return stopwatch.stop(begun, over: Self.shortTime, at: start + elapsed, processor: 7 + processor)
  }

  @Test func `long work is reported from the second on`() {
    var stopwatch = LoopStopwatch()
    #expect(measure(&stopwatch, at: 0, elapsed: 900_000, processor: 800_000) == nil)
    #expect(measure(&stopwatch, at: 1_000_000, elapsed: 900_000, processor: 800_000) == 800_000)
    #expect(measure(&stopwatch, at: 2_000_000, elapsed: 900_000, processor: 800_000) == 800_000)
  }

  @Test func `the time for which the thread waits for a processor does not count`() {
    var stopwatch = LoopStopwatch()
    for moment in 0..<10 as Range<UInt64> {
      #expect(measure(&stopwatch, at: moment * 10_000_000, elapsed: 4_000_000, processor: 50_000) == nil)
    }
  }

  @Test func `one reading of the processor time serves measurements that begin soon after it`() {
    var stopwatch = LoopStopwatch()
    _ = measure(&stopwatch, at: 0, elapsed: 900_000, processor: 800_000)
    #expect(stopwatch.start(at: 1_000_000, processor: 7).processor == 7)
    #expect(stopwatch.start(at: 1_050_000, processor: 99).processor == 50_007)
    #expect(stopwatch.start(at: 1_050_001, processor: 99).processor == 99)
  }

  @Test func `a time that is measured from an earlier reading is never too long`() {
    var stopwatch = LoopStopwatch()
    _ = measure(&stopwatch, at: 0, elapsed: 900_000, processor: 800_000)
    _ = stopwatch.start(at: 1_000_000, processor: 0)
    // The thread works for 10 of the 40 µs before the work, and for 500 µs then.
    let worked = stopwatch.start(at: 1_040_000, processor: 0)
    #expect(stopwatch.stop(worked, over: Self.shortTime, at: 1_540_000, processor: 510_000) == 470_000)
    // It waits for a processor before and during the work.
    _ = stopwatch.start(at: 2_000_000, processor: 0)
    let waited = stopwatch.start(at: 2_040_000, processor: 0)
    #expect(stopwatch.stop(waited, over: Self.shortTime, at: 2_540_000, processor: 10_000) == nil)
  }

  @Test func `processor time is not read after a second without long work`() {
    var stopwatch = LoopStopwatch()
    #expect(stopwatch.start(at: 0, processor: 7).processor == nil)
    _ = measure(&stopwatch, at: 0, elapsed: 900_000, processor: 800_000)
    #expect(stopwatch.start(at: Self.second, processor: 7).processor == 7)
    #expect(stopwatch.start(at: Self.second + 900_000, processor: 7).processor == nil)
  }
}
