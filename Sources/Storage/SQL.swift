import Synchronization

/// A statement's text, and the place that its prepared form has in every connection's cache.
///
/// Make each one once, as a `static let`: the place is never given back, so a text made anew for each request would be
/// prepared each time. A connection refuses one past `SQL.limit` and says so.
@usableFromInline package struct SQL: Sendable {
  /// How many different texts a process may have.
  package static let limit = 8_192

  @usableFromInline package let text: String
  /// Unique in the process and dense from 0, so that a connection's cache is an array.
  @usableFromInline let slot: Int

  package init(_ text: String) {
    self.text = text
    slot = nextSlot.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

private let nextSlot = Atomic<Int>(0)
