import Synchronization

/// The keys of the requests with an idempotency key that are being executed, on all loops.
final class RunningRequests: Sendable {
  private let keys = Mutex<Set<[UInt8]>>([])

  /// Returns false if a request with this key is being executed.
  func begin(_ key: [UInt8]) -> Bool { keys.withLock { $0.insert(key).inserted } }

  func end(_ key: [UInt8]) { keys.withLock { _ = $0.remove(key) } }
}
