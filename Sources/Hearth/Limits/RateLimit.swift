import Basics

/// A token bucket: up to `burst` tokens at once, and one more after each `interval`. It is implemented as the generic
/// cell rate algorithm, whose whole state is the time at which the bucket will be full again.
struct RateLimit: Hashable, Sendable {
  let burst: Int64
  /// In milliseconds.
  let interval: Int64

  /// Milliseconds by which the times of callers can differ.
  private static let longestSkew: Int64 = 60_000

  init(burst: Int64, interval: Int64) {
    self.burst = burst
    self.interval = interval
  }

  init(burst: Int64, every interval: Duration) {
    self.init(burst: burst, interval: interval.millisecondsRoundedUp)
  }

  /// The limit for `factor` callers together.
  func scaled(by factor: Int64) -> RateLimit {
    RateLimit(burst: burst * factor, interval: max(interval / factor, 1))
  }

  /// Milliseconds until `count` tokens are available, or 0 if they are now.
  func wait(_ arrival: inout Int64, for count: Int64 = 1, at now: Int64) -> Int64 {
    // When a bucket that is empty now will be full again.
    let latest = now + burst * interval
    // If the clock was set back, the bucket would have no token until the clock is where it was. It counts as a full
    // one, as in `SharedRates`, unless the step is so small that it can occur often.
    arrival = arrival > latest + Self.longestSkew ? now : min(arrival, latest)
    let debt = max(arrival - now, 0)
    return max(debt - (burst - min(count, burst)) * interval, 0)
  }

  /// Consumes `count` tokens, whether or not they are available.
  func take(_ arrival: inout Int64, count: Int64 = 1, at now: Int64) {
    arrival = min(max(arrival, now) + min(count, burst) * interval, now + burst * interval)
  }

  func giveBack(_ arrival: inout Int64, count: Int64 = 1) { arrival -= min(count, burst) * interval }
}
