#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What time it is. Tests set their own.
struct Clock: Sendable {
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64

  init(_ now: @escaping @Sendable () -> Int64) { self.now = now }

  static let system = Clock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
