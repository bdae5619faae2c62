/// Finds out when the wall clock is set, by comparing it with a clock that never is. All times are in milliseconds.
///
/// The deadlines that were set by a wrong clock are known by the time at which they were set. It lies in a stretch: the
/// time between two steps, as the wall clock showed it.
struct ClockSteps: Sendable {
  /// What both clocks show at one moment.
  struct Reading: Sendable {
    /// Since 1970.
    let time: Int64
    /// By the clock that is never set.
    let elapsed: Int64

    var offset: Int64 { time - elapsed }
  }

  private struct Stretch {
    /// By how much the times of its deadlines differ from those of the clock that is never set.
    var offset: Int64
    let begin: Int64
    /// Nil for the current stretch.
    var end: Int64?
  }

  /// A larger difference is a step. Clocks that are adjusted continuously deviate less between two readings.
  static let tolerance: Int64 = Milliseconds.minute
  /// Deadlines are not moved by less.
  static let shortestMove: Int64 = Milliseconds.day
  /// More are only there if the clock is set all the time.
  private static let maximumStretches = 100

  private let settlingTime: Int64
  private var latest: Reading
  /// By the clock that is never set.
  private var settlesAt: Int64
  private var stretches: [Stretch]

  init(_ reading: Reading, settlingTime: Int64) {
    self.settlingTime = settlingTime
    latest = reading
    settlesAt = reading.elapsed + settlingTime
    stretches = [Stretch(offset: reading.offset, begin: reading.elapsed)]
  }

  /// By how much the wall clock differs from the other.
  var offset: Int64 { latest.offset }

  /// How long it takes until the clock is settled, if it is not set again; 0 if it is.
  var wait: Int64 { max(settlesAt - latest.elapsed, 0) }

  /// Compares the clocks. Returns by how much the wall clock was set since the last reading: nil if it was not, and
  /// less than 0 if it was set back.
  mutating func note(_ reading: Reading) -> Int64? {
    let earlier = latest
    latest = reading
    let step = reading.offset - earlier.offset
    guard abs(step) > Self.tolerance else { return nil }
    settlesAt = reading.elapsed + settlingTime
    // The step was at some time between the two readings.
    stretches[stretches.count - 1].end = reading.elapsed
    stretches.append(Stretch(offset: reading.offset, begin: earlier.elapsed))
    if stretches.count > Self.maximumStretches { stretches.removeFirst() }
    return step
  }

  /// How deadlines are moved so that they are as far away as before the clock was set forward. They are never moved
  /// back: then a clock that is wrong and behind could make them early. The latest are first, so that none is moved to
  /// where it would be moved again.
  var moves: [DeadlineMove] {
    let moves = stretches.compactMap { stretch -> DeadlineMove? in
      let length = offset - stretch.offset
      guard let end = stretch.end, length > Self.shortestMove else { return nil }
      return DeadlineMove(
        setFrom: stretch.offset + stretch.begin - Self.tolerance,
        setUntil: stretch.offset + end + Self.tolerance,
        length: length
      )
    }
    return moves.sorted { $0.setFrom > $1.setFrom }
  }

  /// Notes that `moves` are done.
  ///
  /// - Parameter offset: the offset when they were read.
  mutating func didMove(to offset: Int64) {
    for index in stretches.indices where offset - stretches[index].offset > Self.shortestMove {
      stretches[index].offset = offset
    }
    var merged: [Stretch] = []
    for stretch in stretches {
      let index = merged.count - 1
      if index >= 0, abs(stretch.offset - merged[index].offset) <= Self.tolerance {
        merged[index].end = stretch.end
      } else {
        merged.append(stretch)
      }
    }
    stretches = merged
  }
}
