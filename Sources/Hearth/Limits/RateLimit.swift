/// So many at once, and one more each `interval`: the generic cell rate algorithm, whose whole state is one moment, that at
/// which everything taken so far will have been made up for.
struct RateLimit: Sendable {
  let burst: Int64
  /// In milliseconds.
  let interval: Int64

  /// Milliseconds until so many may be taken; 0 where they may be now.
  func wait(_ arrival: Int64, for count: Int64 = 1, at now: Int64) -> Int64 {
    // A clock that was set back does not make anybody wait longer than the whole burst takes.
    let debt = min(max(arrival - now, 0), burst * interval)
    return max(debt - (burst - min(count, burst)) * interval, 0)
  }

  /// Takes so many, whether or not they may be taken.
  func take(_ arrival: inout Int64, _ count: Int64 = 1, at now: Int64) {
    arrival = min(max(arrival, now) + min(count, burst) * interval, now + burst * interval)
  }

  func giveBack(_ arrival: inout Int64) { arrival -= interval }
}
