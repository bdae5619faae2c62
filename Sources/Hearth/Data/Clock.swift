import Foundation

/// What time it is, and waiting for a time. Tests set their own.
struct Clock: Sendable {
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
  private let sleep: @Sendable (_ until: Int64) async throws -> Void

  init(_ now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ until: Int64) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// Returns at the moment, or soon after it, or when the clock was set back: what was slept for may be another moment
  /// then. Throws when the task is cancelled.
  func sleep(until moment: Int64) async throws { try await sleep(moment) }

  /// The wall clock can be set, and a machine can be put to sleep: so a long wait looks at it twice a
  /// second: what is due by a clock that was set forward is not late either.
  static let system = Clock(systemNow) { moment in
    while true {
      let now = systemNow()
      guard now < moment else { return try Task.checkCancellation() }
      try await Task.sleep(for: .milliseconds(min(moment - now, 500)))
      if systemNow() < now { return }
    }
  }

  @Sendable private static func systemNow() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
