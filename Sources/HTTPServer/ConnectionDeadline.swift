import EventLoop

/// The one time by which a connection's client must have done something. Belongs to the loop's thread.
///
/// Moving the deadline further away, which every request does, is a store: the timer runs out at the old time, sees
/// that it is early, and is started for the rest.
struct ConnectionDeadline {
  private let timer: LoopTimer
  /// When it is over, in the loop's milliseconds; `none` for never.
  private var time = Self.none
  /// When the timer runs out; `none` when it is not started.
  private var timerTime = Self.none

  private static let none = UInt64.max

  /// - Parameter timer: calls `timerDidFire` of this value.
  init(timer: LoopTimer) { self.timer = timer }

  mutating func set(after milliseconds: UInt64) {
    time = timer.loop.now + milliseconds
    if time < timerTime {
      timer.start(after: milliseconds)
      timerTime = time
    }
  }

  mutating func clear() { time = Self.none }

  /// Whether the deadline has passed; otherwise the timer is started again if there is still one to watch.
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
