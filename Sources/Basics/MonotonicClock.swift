import Glibc

/// The clock by which durations are measured. It is never set.
package enum MonotonicClock {
  /// Nanoseconds of `CLOCK_MONOTONIC`.
  package static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
