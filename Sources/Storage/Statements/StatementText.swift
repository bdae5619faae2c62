import Synchronization

/// The text of a statement, and the slot of its prepared form in the cache of every connection.
///
/// Make each one once: a slot is never given back, so a text made anew for each request would be prepared each time. A
/// connection rejects a statement whose slot is past `limit`.
@usableFromInline package struct StatementText: Sendable {
  /// How many different texts a process can have.
  package static let limit = 8_192

  @usableFromInline package let text: String
  /// Unique in the process and dense from 0, so that the cache of a connection is an array.
  @usableFromInline let slot: Int

  package init(_ text: String) {
    self.text = text
    slot = nextSlot.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

private let nextSlot = Atomic<Int>(0)
