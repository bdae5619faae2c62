import Foundation

/// The current time, and waiting for a point in time. Tests use their own clocks.
struct Clock: Sendable {
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  private let sleep: @Sendable (_ until: Int64, _ seen: Int64) async throws -> Void
  /// Whether it is the machine's clock, which can be compared with that of another machine.
  let isOfSystem: Bool

  init(
    _ now: @escaping @Sendable () -> Int64,
    isOfSystem: Bool = false,
    sleep: @escaping @Sendable (_ until: Int64, _ seen: Int64) async throws -> Void
  ) {
    self.now = now
    self.isOfSystem = isOfSystem
    self.sleep = sleep
  }

  /// Returns at or soon after `moment`, or when the clock was set back, in which case the caller may have to wait for
  /// another moment. Throws when the task is cancelled.
  ///
  /// - Parameter seen: the time from which the caller has concluded that it must wait; nil for now.
  func sleep(until moment: Int64, since seen: Int64? = nil) async throws { try await sleep(moment, seen ?? now()) }

  /// Checks the wall clock twice a second, because the clock can be set and the machine can be suspended. Work is
  /// therefore not late when the clock is set forward.
  static let system = Clock(systemNow, isOfSystem: true) { moment, seen in
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
