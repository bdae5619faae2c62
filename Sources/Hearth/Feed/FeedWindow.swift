import Storage

/// How long events are kept for those who were away.
enum FeedWindow {
  /// In milliseconds.
  static let length: Int64 = 7 * 86_400_000

  static let sweep = SQL(
    """
    DELETE FROM family_event WHERE (family_id, position) IN (\
    SELECT family_id, position FROM family_event INDEXED BY family_event_by_age WHERE recorded_at < ?1 LIMIT ?2) \
    RETURNING position
    """
  )
  static let move = SQL("UPDATE feed_window SET swept = max(swept, ?1)")

  /// Sweeps away some of what is older, and remembers it: whoever would go on from before is told. Gives how much.
  static func sweep(at now: Int64, atMost limit: Int64, _ transaction: WriteTransaction) throws -> Int64 {
    let statement = try transaction.statement(sweep)
    try statement.bind(1, now - length)
    try statement.bind(2, limit)
    var count: Int64 = 0
    var last: Int64 = 0
    try statement.forEachRow { row in
      count += 1
      last = max(last, row.int64(0))
    }
    if count > 0 { try transaction.run(move, last) }
    return count
  }
}
