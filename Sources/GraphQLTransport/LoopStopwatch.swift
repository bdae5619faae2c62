import Basics

/// Measures how long a loop works on a request. The time for which the loop's thread waits for a processor does not
/// count: otherwise callers would be throttled because the machine is busy.
///
/// The clock of elapsed time is read first, because it takes a tenth of the time of reading the processor's. Only after
/// some work took longer than `shortTime`, or seemed to, processor time is measured: for a second, or for a minute if
/// that work took very long. That first work is not reported.
///
/// On a busy machine that is every second, and reading the processor time is a system call. So one reading serves all
/// measurements that begin within `readingPeriod`: the time since the reading is subtracted as if the loop had worked
/// all the time. A measured time is never too long, and too short by `readingPeriod` at most.
///
/// Confined to a loop. Times are in nanoseconds.
struct LoopStopwatch {
  struct Start {
    let elapsed: UInt64
    /// Nil if processor time is not being measured.
    let processor: UInt64?
  }

  /// For how long processor time is measured after some work took long. Tests need more time on a busy machine.
  var precisePeriod: UInt64 = 1_000_000_000
  /// Then a client cannot have one request in each second that takes very long, and is never reported.
  private static let veryLong: UInt64 = 20_000_000
  private static let longPrecisePeriod: UInt64 = 60_000_000_000
  private static let readingPeriod: UInt64 = 50_000
  private var preciseUntil: UInt64 = 0
  /// When the processor time was read last, and what it was.
  private var reading: (time: UInt64, processor: UInt64) = (0, 0)

  /// Begins a measurement.
  mutating func start(
    at now: UInt64 = MonotonicClock.nanoseconds,
    processor: @autoclosure () -> UInt64 = ThreadClock.nanoseconds
  ) -> Start {
    guard now < preciseUntil else { return Start(elapsed: now, processor: nil) }
    // Also if the clock was read before the last reading.
    if now &- reading.time > Self.readingPeriod { reading = (now, processor()) }
    return Start(elapsed: now, processor: reading.processor + (now - reading.time))
  }

  /// Ends a measurement. Returns the processor time if it is known and longer than `shortTime`.
  mutating func stop(
    _ start: Start,
    over shortTime: UInt64,
    at now: UInt64 = MonotonicClock.nanoseconds,
    processor: @autoclosure () -> UInt64 = ThreadClock.nanoseconds
  ) -> UInt64? {
    guard now - start.elapsed > shortTime else { return nil }
    let period = now - start.elapsed > Self.veryLong ? Self.longPrecisePeriod : precisePeriod
    preciseUntil = max(preciseUntil, now + period)
    guard let begun = start.processor else { return nil }
    reading = (now, processor())
    guard reading.processor > begun else { return nil }
    let time = reading.processor - begun
    return time > shortTime ? time : nil
  }
}
