import Synchronization

/// A histogram of durations, which one thread at a time records and any thread reads. Recording takes no lock and no
/// atomic read-modify-write: some ten instructions.
package final class Histogram: Sendable {
  /// What was recorded so far. A reading during a recording can be inconsistent by one.
  package struct Snapshot: Sendable {
    /// The upper bounds of the buckets in seconds. One more bucket has no bound.
    package let bounds: [Double]
    /// The number of durations in each bucket.
    package private(set) var counts: [Int]
    /// In seconds.
    package private(set) var sum: Double

    package var count: Int { counts.reduce(0, +) }

    /// The sum of two readings of histograms with the same bounds.
    package func adding(_ other: Snapshot) -> Snapshot {
      var result = self
      for index in result.counts.indices { result.counts[index] += other.counts[index] }
      result.sum += other.sum
      return result
    }
  }

  private let bounds: [Double]
  private let limits: [UInt64]
  /// A counter for each bucket, and the sum in nanoseconds. Initialized by `init`, and freed by `deinit`.
  nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<UInt64>>

  /// - Parameter bounds: the upper bounds of the buckets in seconds, in rising order.
  package init(_ bounds: [Double]) {
    self.bounds = bounds
    limits = bounds.map { UInt64($0 * 1_000_000_000) }
    cells = .allocate(capacity: bounds.count + 2)
    for index in 0..<(bounds.count + 2) { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: bounds.count + 2)
    cells.deallocate()
  }

  package func record(nanoseconds: UInt64) {
    var bucket = 0
    while bucket < limits.count, nanoseconds > limits[bucket] { bucket += 1 }
    add(1, to: bucket)
    add(nanoseconds, to: limits.count + 1)
  }

  /// Without a read-modify-write, because there is one writer at a time.
  private func add(_ number: UInt64, to index: Int) {
    cells[index].store(cells[index].load(ordering: .relaxed) &+ number, ordering: .relaxed)
  }

  package var snapshot: Snapshot {
    Snapshot(
      bounds: bounds,
      counts: (0...bounds.count).map { Int(clamping: cells[$0].load(ordering: .relaxed)) },
      sum: Double(cells[bounds.count + 1].load(ordering: .relaxed)) / 1_000_000_000
    )
  }
}
