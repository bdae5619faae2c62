import Basics
import Synchronization

/// The queue of writes for the writer's thread.
final class WriteQueue: Sendable {
  private struct End {
    var hasCome = false
    var actions: [@Sendable () -> Void] = []
  }

  private let limit: Int
  private let groupLimit: Int
  private let writes: BlockingQueue<PendingWrite>
  private let end = Mutex(End())

  init(limit: Int, groupLimit: Int) {
    self.limit = limit
    self.groupLimit = groupLimit
    writes = BlockingQueue(limit: limit)
  }

  /// The number of queued writes, without those that the writer has taken.
  var count: Int { writes.count }

  /// Throws `overloaded` when the queue is full, and `closed` after `close`.
  func append(_ write: PendingWrite) throws(DatabaseError) {
    do throws(QueueRejection) {
      try writes.append(write)
    } catch {
      switch error {
      case .closed: throw DatabaseError(.closed, message: "The database is closed.")
      case .full: throw DatabaseError(.overloaded, message: "The queue of writes is full: \(limit) writes are waiting.")
      }
    }
  }

  /// Waits for writes and takes at most one group. Returns nil once the queue is closed and empty.
  func next() -> [PendingWrite]? { writes.next(atMost: groupLimit) }

  /// Rejects further writes. Calls `action` once the queued writes are done and the writer's thread has ended.
  func close(_ action: (@Sendable () -> Void)? = nil) {
    writes.close()
    let isOver = end.withLock { end in
      if let action, !end.hasCome { end.actions.append(action) }
      return end.hasCome
    }
    if isOver { action?() }
  }

  /// Call this when the writer's thread has ended.
  func writerHasEnded() {
    let actions = end.withLock { end in
      end.hasCome = true
      return end.actions
    }
    for action in actions { action() }
  }
}
