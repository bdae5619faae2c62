import Storage

/// The rows that a request with an idempotency key leaves: one for each of its writes, committed in the write's
/// transaction, and one for its response.
enum IdempotentWrite {
  /// `person` is nil for a caller without a session.
  typealias Row = (
    key: [UInt8], step: Int64, person: GlobalID?, request: [UInt8], now: Timestamp, outcome: [UInt8]
  )

  static let ofKey = SQL<[UInt8]>(
    "SELECT step, request, outcome FROM idempotent_write WHERE key = \(\.self) ORDER BY step"
  )
  static let insert = SQL<Row>(
    """
    INSERT INTO idempotent_write (key, step, person_id, request, created_at, outcome) \
    VALUES (\(\.key), \(\.step), \(\.person), \(\.request), \(\.now), \(\.outcome))
    """
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM idempotent_write WHERE (key, step) IN (SELECT key, step FROM idempotent_write \
    WHERE created_at < \(\.before) ORDER BY created_at LIMIT \(\.limit))
    """
  )

  /// How long rows are kept, in milliseconds. They are deleted by the sweeper, up to an hour later.
  static let retention: Int64 = 86_400_000
}
