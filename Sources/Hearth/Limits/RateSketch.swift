import Synchronization

/// A count-min sketch of token buckets: a rate limit for each of any number of keys, in constant memory.
///
/// A key has a cell in each of two rows, found by a hash that callers cannot predict. Keys that share a cell count
/// against each other there, so the cell with fewer consumed tokens is the better estimate. A flood of keys fills the
/// cells of others. Each sketch is therefore behind a limit that one network cannot pass often enough to do that. Cells
/// empty with time.
final class RateSketch: Sendable {
  let limit: RateLimit
  private let width: Int
  /// Allocated on first use, because most actions are rare.
  private let cells = Mutex<[Int64]>([])

  /// - Parameter width: the number of cells in a row.
  init(_ limit: RateLimit, width: Int = 4_096) {
    self.limit = limit
    self.width = width
  }

  /// Consumes `count` tokens of the key, or none if fewer are left. Then returns the milliseconds until they are
  /// available.
  func take(_ name: some Hashable, count: Int64 = 1, at now: Int64) -> Int64? {
    let (first, second) = cells(of: name)
    return cells.withLock { cells in
      if cells.isEmpty { cells = Array(repeating: 0, count: 2 * width) }
      let wait = min(limit.wait(&cells[first], for: count, at: now), limit.wait(&cells[second], for: count, at: now))
      guard wait == 0 else { return wait }
      limit.take(&cells[first], count: count, at: now)
      limit.take(&cells[second], count: count, at: now)
      return nil
    }
  }

  /// Returns tokens for an action that does not count after all.
  func giveBack(_ name: some Hashable, count: Int64 = 1, at now: Int64) {
    let (first, second) = cells(of: name)
    cells.withLock { cells in
      guard !cells.isEmpty else { return }
      let (low, high) = cells[first] < cells[second] ? (first, second) : (second, first)
      // If the higher cell has no tokens now, others may have used them up. How many the action consumed there is not
      // known then, so none are returned.
      let isFull = cells[high] > cells[low] && limit.wait(&cells[high], for: 1, at: now) > 0
      limit.giveBack(&cells[low], count: count)
      if !isFull { limit.giveBack(&cells[high], count: count) }
    }
  }

  private func cells(of name: some Hashable) -> (Int, Int) {
    var hasher = Hasher()
    hasher.combine(name)
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return (Int(hash % UInt64(width)), width + Int((hash >> 32) % UInt64(width)))
  }
}
