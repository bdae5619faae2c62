import Synchronization

/// The number of commits of a SQLite file's writer. It tells readers whether the snapshot that they have is still the
/// newest one.
final class CommitCounter: Sendable {
  private let value = Atomic<UInt64>(0)

  /// The number of commits, of which their callers may know. A commit that is not counted yet may already be visible to
  /// new snapshots.
  var count: UInt64 { value.load(ordering: .acquiring) }

  /// Counts a commit. Must be called after it, and before its callers get their results.
  func increment() { value.wrappingAdd(1, ordering: .releasing) }
}
