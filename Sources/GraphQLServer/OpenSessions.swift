import Synchronization

/// Ends the connections of sessions on all loops of a server.
final class OpenSessions: Sendable {
  private let handlers = Mutex<[@Sendable (Int64) -> Void]>([])

  /// Registers the handler of a loop, which is called with each session that ends.
  func whenEnded(_ handler: @escaping @Sendable (Int64) -> Void) { handlers.withLock { $0.append(handler) } }

  func end(_ session: Int64) { for handler in handlers.withLock({ $0 }) { handler(session) } }
}
