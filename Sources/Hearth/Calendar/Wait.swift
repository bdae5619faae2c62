/// A time that has to pass before something can be repeated.
struct Wait {
  /// In milliseconds.
  let length: Int64

  /// The days that are left of a wait that began at `start`, rounded up; nil once it is over.
  func daysLeft(since start: Int64, at now: Timestamp) -> Int64? {
    // The wait is not longer if the clock was set back.
    let rest = min(start - now.milliseconds, 0) + length
    return rest > 0 ? (rest + Milliseconds.day - 1) / Milliseconds.day : nil
  }
}
