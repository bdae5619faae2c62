import Synchronization

/// The partitions that a commit has changed.
enum ChangedPartitions {
  /// At least the changed ones, by their keys.
  case some([Int64])
  /// Any.
  case unknown
}

/// The versions of the file with the last change of each partition.
final class PartitionVersions: Sendable {
  private struct State {
    /// The versions of the last changes of the partitions that were changed since `others`, by their keys.
    var changes: [Int64: UInt64] = [:]
    /// No other partition was changed after this version.
    var others: UInt64 = 0
  }

  /// The keys take 2 MB at most. Beyond it, what was read earlier counts as changed: at a hundred commits a second of
  /// different families, that is once in ten minutes.
  private static let maximumCount = 65_536

  private let state = Mutex(State())

  func change(_ changed: ChangedPartitions, at version: UInt64) {
    state.withLock { state in
      switch changed {
      case .some(let keys):
        for key in keys { state.changes[key] = version }
        if state.changes.count > Self.maximumCount { state = State(others: version) }
      case .unknown: state = State(others: version)
      }
    }
  }

  func areUnchanged(_ keys: PartitionKeys, since version: UInt64) -> Bool {
    guard let first = keys.first else { return true }
    return state.withLock { state in
      guard state.changes[first] ?? state.others <= version else { return false }
      return keys.second.map { state.changes[$0] ?? state.others <= version } ?? true
    }
  }
}
