import Storage

/// A row of `idempotent_write`. A request with an idempotency key leaves one for each of its writes, committed in the
/// write's transaction, and one for its response.
struct IdempotentWrite: Sendable {
  /// SHA-256 of the caller and the key.
  var key: [UInt8]
  /// `IdempotentRun.responseStep`, or the number of the write.
  var step: Int64
  /// Nil for a caller without a session.
  var person: GlobalID?
  /// SHA-256 of the request.
  var request: [UInt8]
  var createdAt: Timestamp
  /// The response, or what the write returned. Nil or empty if that cannot be restored.
  var outcome: [UInt8]?

  static let table = Table<IdempotentWrite>(
    "idempotent_write",
    [
      Column("key", \.key),
      Column("step", \.step),
      Column("person_id", \.person),
      Column("request", \.request),
      Column("created_at", \.createdAt),
      Column("outcome", \.outcome),
    ]
  )

  static let ofKey = SQL<[UInt8]>(
    "SELECT step, request, outcome FROM idempotent_write WHERE key = \(\.self) ORDER BY step"
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM idempotent_write WHERE (key, step) IN (SELECT key, step FROM idempotent_write \
    WHERE created_at < \(\.before) ORDER BY created_at LIMIT \(\.limit))
    """
  )

  /// How long rows are kept, in milliseconds. They are deleted by the sweeper, up to an hour later.
  static let retention: Int64 = Milliseconds.day
}
