import Basics
import EventLoop

/// Measures how long a loop works on a request. The time for which the loop's thread waits for a processor does not
/// count: otherwise callers would be throttled because the machine is busy.
///
/// The clock of elapsed time is read first, because it takes a tenth of the time of reading the processor's. Only after
/// some work took longer than `shortTime`, or seemed to, processor time is measured, for a second. That first work is
/// not reported.
///
/// Confined to a loop. Times are in nanoseconds.
struct LoopStopwatch {
  struct Start {
    let elapsed: UInt64
    /// Nil if processor time is not being measured.
    let processor: UInt64?
  }

  private static let precisePeriod: UInt64 = 1_000_000_000
  private var preciseUntil: UInt64 = 0

  /// Begins a measurement.
  func start(
    at now: UInt64 = EventLoop.monotonicNanoseconds,
    processor: @autoclosure () -> UInt64 = ThreadClock.nanoseconds
  ) -> Start {
    Start(elapsed: now, processor: now < preciseUntil ? processor() : nil)
  }

  /// Ends a measurement. Returns the processor time if it is known and longer than `shortTime`.
  mutating func stop(
    _ start: Start,
    over shortTime: UInt64,
    at now: UInt64 = EventLoop.monotonicNanoseconds,
    processor: @autoclosure () -> UInt64 = ThreadClock.nanoseconds
  ) -> UInt64? {
    guard now - start.elapsed > shortTime else { return nil }
    preciseUntil = now + Self.precisePeriod
    guard let begun = start.processor else { return nil }
    let time = processor() - begun
    return time > shortTime ? time : nil
  }
}
