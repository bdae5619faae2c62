import Synchronization

/// A count-min sketch of generic cell rate algorithm states: a rate limit for each of any number of names, in constant
/// memory.
///
/// A name has a cell in each of two rows, found by a hash that callers cannot predict. Names that share a cell count
/// against each other there, so the cell with less taken is the better estimate. A flood of names fills the cells of
/// others: each sketch stands behind a limit that one network cannot pass often enough to do that. Cells empty with
/// time.
final class RateSketch: Sendable {
  let limit: RateLimit
  private let width: Int
  /// Allocated when the first name comes: most actions are rare.
  private let cells = Mutex<[Int64]>([])

  /// - Parameter width: the cells of a row.
  init(_ limit: RateLimit, width: Int = 4_096) {
    self.limit = limit
    self.width = width
  }

  /// Takes `count` for the name, or none when fewer are left: then returns the milliseconds until they are there.
  func take(_ name: some Hashable, _ count: Int64 = 1, at now: Int64) -> Int64? {
    let (first, second) = cells(of: name)
    return cells.withLock { cells in
      if cells.isEmpty { cells = Array(repeating: 0, count: 2 * width) }
      let wait = min(limit.wait(cells[first], for: count, at: now), limit.wait(cells[second], for: count, at: now))
      guard wait == 0 else { return wait }
      limit.take(&cells[first], count, at: now)
      limit.take(&cells[second], count, at: now)
      return nil
    }
  }

  /// Returns what was taken and turned out not to count.
  func giveBack(_ name: some Hashable, _ count: Int64 = 1) {
    let (first, second) = cells(of: name)
    cells.withLock { cells in
      guard !cells.isEmpty else { return }
      limit.giveBack(&cells[first], count)
      limit.giveBack(&cells[second], count)
    }
  }

  private func cells(of name: some Hashable) -> (Int, Int) {
    var hasher = Hasher()
    hasher.combine(name)
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return (Int(hash % UInt64(width)), width + Int((hash >> 32) % UInt64(width)))
  }
}
