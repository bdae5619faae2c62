import Synchronization

/// A value that a worker thread releases, because that takes long: of the entries of an address book about 0.3 ms.
///
/// The owner of this must have the last reference to the value.
package final class WorkerReleased<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>
  private let workers: WorkerPool
  private let lane: WorkLane

  package init(_ value: consuming Value, by workers: WorkerPool, in lane: WorkLane = .common) {
    self.value = Mutex(value)
    self.workers = workers
    self.lane = lane
  }

  deinit {
    // A copy here could be the last reference.
    if let value = take() { workers.release(consume value, in: lane) }
  }

  /// Gives up the value: it is released where its new owner releases it. Nil the second time.
  package func take() -> Value? { value.withLock { $0.take() } }
}
