import Basics
import Glibc

/// A point in time by the monotonic clock, until which a thread waits for a descriptor.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(after timeout: Duration) { end = .now + timeout }

  var isOver: Bool { ContinuousClock.now >= end }

  /// Milliseconds that are left, rounded up.
  var remaining: Int32 {
    Int32(clamping: ContinuousClock.now.duration(to: end).millisecondsRoundedUp)
  }

  /// Waits until one of the `poll` events is possible. Returns them, or nil when the time is over.
  func wait(for events: Int16, on descriptor: Int32) -> Int16? {
    while true {
      var watched = pollfd(fd: descriptor, events: events, revents: 0)
      let count = poll(&watched, 1, remaining)
      if count > 0 { return watched.revents }
      if count == 0 { return nil }
      // Interrupted by a signal.
      guard errno == EINTR else { return events }
    }
  }
}
