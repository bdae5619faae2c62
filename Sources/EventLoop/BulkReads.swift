/// Has a loop read from one of the streams that send much in each of its turns: from the one that has waited longest.
///
/// A stream sends much if its last read filled the buffer. All other streams are read in every turn.
struct BulkReads {
  private var turn = 1
  /// Whether the buffer was filled in this turn.
  private var isDone = false
  /// The earliest turn of a last read, among the streams that were not read in the last turn, and among those that were
  /// not read in this one. Streams that were read later have to wait for them.
  private var waitingSince = Int.max
  private var waitingNow = Int.max

  /// Whether a stream that sends much is read in this turn.
  /// - Parameter last: The turn of its last read.
  mutating func admits(_ last: Int) -> Bool {
    if !isDone && last <= waitingSince { return true }
    waitingNow = min(waitingNow, last)
    return false
  }

  /// Returns the turn of the read, which filled the buffer.
  mutating func didFill() -> Int {
    isDone = true
    return turn
  }

  mutating func beginTurn() {
    turn &+= 1
    isDone = false
    waitingSince = waitingNow
    waitingNow = .max
  }
}
