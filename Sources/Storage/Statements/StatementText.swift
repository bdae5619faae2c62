import Synchronization

/// The text of a statement, and the slot of its prepared statement in the cache of every connection.
///
/// Create each one once per process: slots are not reused, so a text created for each request would be prepared each
/// time. A connection rejects a statement whose slot is not below `limit`.
@usableFromInline package struct StatementText: Sendable {
  /// The maximum number of statement texts in a process.
  package static let limit = 8_192

  @usableFromInline package let text: String
  /// Unique in the process and consecutive from 0, so that the cache of a connection is an array.
  @usableFromInline let slot: Int

  package init(_ text: String) {
    self.text = text
    slot = nextSlot.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

private let nextSlot = Atomic<Int>(0)
