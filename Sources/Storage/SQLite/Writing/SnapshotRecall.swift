import Synchronization

/// Asks the reads that requests make off the event loops to give up their snapshots, because the write-ahead log cannot
/// be emptied before.
///
/// Their thread has the idle scheduling policy. While other threads used all processors, such a read kept its snapshot
/// for up to 7 seconds, and all writes waited for 5.
final class SnapshotRecall: Sendable {
  private let count = Atomic<Int>(0)

  /// The number of calls of `recall()`. A read that began before the last one must end.
  var number: Int { count.load(ordering: .relaxed) }

  func recall() { count.wrappingAdd(1, ordering: .relaxed) }
}
