/// A burst that may be taken at once, and one more each `interval`: the generic cell rate algorithm. Its whole state is
/// one moment, at which everything taken so far will have been made up for.
struct RateLimit: Hashable, Sendable {
  let burst: Int64
  /// In milliseconds.
  let interval: Int64

  init(burst: Int64, interval: Int64) {
    self.burst = burst
    self.interval = interval
  }

  init(burst: Int64, every interval: Duration) {
    let (seconds, attoseconds) = interval.components
    self.init(burst: burst, interval: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// The limit of `factor` callers together.
  func scaled(by factor: Int64) -> RateLimit {
    RateLimit(burst: burst * factor, interval: max(interval / factor, 1))
  }

  /// Milliseconds until `count` may be taken; 0 when they may be now.
  func wait(_ arrival: Int64, for count: Int64 = 1, at now: Int64) -> Int64 {
    // When the clock is set back, the wait stays within that for the whole burst.
    let debt = min(max(arrival - now, 0), burst * interval)
    return max(debt - (burst - min(count, burst)) * interval, 0)
  }

  /// Takes `count`, whether or not they may be taken.
  func take(_ arrival: inout Int64, _ count: Int64 = 1, at now: Int64) {
    arrival = min(max(arrival, now) + min(count, burst) * interval, now + burst * interval)
  }

  func giveBack(_ arrival: inout Int64, _ count: Int64 = 1) { arrival -= min(count, burst) * interval }
}
