import Foundation

/// The current time, and waiting for a point in time. Tests use their own clocks.
struct Clock: Sendable {
  /// When the clock counts as settled: see `ClockWatch`.
  struct Settling: Sendable {
    /// How long the clock must not have been set, in milliseconds.
    let length: Int64
    /// Milliseconds by a clock that is never set, and that runs while the machine is suspended.
    let elapsed: @Sendable () -> Int64
  }

  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  private let sleep: @Sendable (_ until: Int64, _ seen: Int64) async throws -> Void
  /// Whether it is the machine's clock, which can be compared with that of another machine.
  let isOfSystem: Bool
  /// Nil if the clock is never set, as in most tests.
  let settling: Settling?

  init(
    _ now: @escaping @Sendable () -> Int64,
    settling: Settling? = nil,
    isOfSystem: Bool = false,
    sleep: @escaping @Sendable (_ until: Int64, _ seen: Int64) async throws -> Void
  ) {
    self.now = now
    self.isOfSystem = isOfSystem
    self.settling = settling
    self.sleep = sleep
  }

  /// Returns at or soon after `moment`, or when the clock was set back, in which case the caller may have to wait for
  /// another moment. Throws when the task is cancelled.
  ///
  /// - Parameter seen: the time from which the caller has concluded that it must wait; nil for now.
  func sleep(until moment: Int64, since seen: Int64? = nil) async throws { try await sleep(moment, seen ?? now()) }

  /// Checks the wall clock twice a second, because the clock can be set and the machine can be suspended. Work is
  /// therefore not late when the clock is set forward.
  static let system = Clock(
    systemNow,
    settling: Settling(length: 15 * Milliseconds.minute, elapsed: systemElapsed),
    isOfSystem: true
  ) { moment, seen in
    var latest = seen
    while true {
      let now = systemNow()
      guard now >= latest else { return }
      latest = now
      guard now < moment else { return try Task.checkCancellation() }
      try await Task.sleep(for: .milliseconds(min(moment - now, 500)))
    }
  }

  @Sendable private static func systemNow() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  private static let firstUse = ContinuousClock.now

  @Sendable private static func systemElapsed() -> Int64 {
    let (seconds, attoseconds) = firstUse.duration(to: .now).components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}

/// The clock shows a time before the release of this version.
struct WrongClock: Error, CustomStringConvertible {
  /// In milliseconds since 1970.
  let time: Int64

  var description: String {
    let shown = Date(timeIntervalSince1970: Double(time) / 1000).formatted(.iso8601)
    return "The clock is wrong: it shows \(shown), before this version was released. Set it, and start again."
  }
}
