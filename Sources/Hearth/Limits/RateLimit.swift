/// So many at once, and one more each `interval`: the generic cell rate algorithm, whose whole state is one moment, that at
/// which everything taken so far will have been made up for.
struct RateLimit: Sendable {
  let burst: Int64
  /// In milliseconds.
  let interval: Int64

  /// Milliseconds until one may be taken; 0 where it may be now.
  func wait(_ arrival: Int64, at now: Int64) -> Int64 {
    // A clock that was set back does not make anybody wait longer than the whole burst takes.
    let debt = min(max(arrival - now, 0), burst * interval)
    return max(debt - (burst - 1) * interval, 0)
  }

  /// Takes one, whether or not it may be taken.
  func take(_ arrival: inout Int64, at now: Int64) {
    arrival = min(max(arrival, now) + interval, now + burst * interval)
  }

  func giveBack(_ arrival: inout Int64) { arrival -= interval }
}
