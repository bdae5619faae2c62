import EventLoop

/// The deadline of a connection's client. Confined to the loop's thread.
///
/// Extending the deadline, which every request does, is a single store: the timer fires at the old time, finds that it
/// is early, and is restarted for the rest.
struct ConnectionDeadline {
  private let timer: LoopTimer
  /// The deadline in the loop's milliseconds; `none` for no deadline.
  private(set) var time = Self.none
  /// When the timer fires; `none` if it is not started.
  private var timerTime = Self.none

  private static let none = UInt64.max

  /// - Parameter timer: A timer that calls `timerDidFire()` of this value.
  init(timer: LoopTimer) { self.timer = timer }

  mutating func set(after milliseconds: UInt64) { set(after: milliseconds, now: timer.loop.now) }

  /// - Parameter now: `EventLoop.now`. With it, the timer is only used, and so retained, if it has to be restarted.
  mutating func set(after milliseconds: UInt64, now: UInt64) {
    time = now + milliseconds
    if time < timerTime {
      timer.start(after: milliseconds)
      timerTime = time
    }
  }

  mutating func clear() { time = Self.none }

  /// Returns whether the deadline has passed. Otherwise the timer is restarted if there is a deadline.
  mutating func timerDidFire() -> Bool {
    timerTime = Self.none
    guard time != Self.none else { return false }
    let now = timer.loop.now
    guard now < time else {
      time = Self.none
      return true
    }
    timer.start(after: time - now)
    timerTime = time
    return false
  }

  func close() { timer.close() }
}
