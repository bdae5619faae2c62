import Storage

/// A push whose turn it is, and its device.
struct QueuedPush: Sendable {
  static let due = SQL<(channel: PushChannel, now: Timestamp, limit: Int64)>(
    """
    SELECT p.id, p.device_id, p.recipient_id, p.subject_id, p.created_at, p.attempts, d.address, d.secret, \
    d.is_sandbox, (SELECT s.expires_at FROM session AS s WHERE s.id = d.session_id) \
    FROM push AS p \(index: "push_due") \(join: .asWritten) device AS d ON d.id = p.device_id \
    WHERE p.kind = \(\.channel) AND p.due_at <= \(\.now) ORDER BY p.due_at LIMIT \(\.limit)
    """
  )
  static let hasten = SQL<(channel: PushChannel, latest: Timestamp, soon: Timestamp)>(
    "UPDATE push SET due_at = \(\.soon) WHERE kind = \(\.channel) AND due_at > \(\.latest)"
  )
  /// The index is a channel's raw value: see `earliest(on:)`.
  static let earliest: [SQL<Void>] = PushChannel.allCases.map { SQL(earliestDue($0)) }
  static let postpone = SQL<(id: Int64, dueAt: Timestamp, attempts: Int64)>(
    "UPDATE push SET due_at = \(\.dueAt), attempts = \(\.attempts) WHERE id = \(\.id) AND due_at IS NOT NULL"
  )
  static let delete = SQL<Int64>("DELETE FROM push WHERE id = \(\.self)")
  static let markFailed = SQL<(id: Int64, now: Timestamp, failure: String)>(
    """
    UPDATE push SET due_at = NULL, failed_at = \(\.now), failure = \(\.failure) \
    WHERE id = \(\.id) AND due_at IS NOT NULL
    """
  )
  static let deleteDevice = SQL<GlobalID>("DELETE FROM device WHERE id = \(\.self)")
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM push WHERE id IN (SELECT id FROM push WHERE failed_at < \(\.before) \
    ORDER BY failed_at LIMIT \(\.limit))
    """
  )

  let id: Int64
  let channel: PushChannel
  let device: GlobalID
  let recipient: GlobalID
  let subject: GlobalID
  let createdAt: Int64
  /// The number of earlier attempts.
  let attempts: Int64
  let address: String
  let secret: [UInt8]
  let isSandbox: Bool
  /// Nil for the operator's webhook, which has no session.
  let sessionExpiresAt: Int64?

  /// The first pushes of a channel that are due.
  static func due(
    on channel: PushChannel,
    atMost limit: Int,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> [QueuedPush] {
    try transaction.reader.all(of: due, (channel: channel, now: Timestamp(now), limit: Int64(limit))) { row in
      QueuedPush(
        id: row.int64(0),
        channel: channel,
        device: row.key(1),
        recipient: row.key(2),
        subject: row.key(3),
        createdAt: row.int64(4),
        attempts: row.int64(5),
        address: row.string(6),
        secret: Array(row.blob(7)),
        isSandbox: row.bool(8),
        sessionExpiresAt: row.optionalInt64(9)
      )
    }
  }

  private static func earliestDue(_ channel: PushChannel) -> SQLFragment<Void> {
    "SELECT due_at FROM push WHERE kind = \(channel) AND due_at IS NOT NULL ORDER BY due_at LIMIT 1"
  }

  /// The time of the next attempt. A push whose time is later than any delay, and than the end of any quiet hours, was
  /// postponed while the clock was ahead: its turn is soon.
  static func nextDue(
    on channel: PushChannel,
    after now: Int64,
    in transaction: WriteTransaction
  ) throws -> Int64? {
    let (soon, latest) = (Timestamp(now + 1), Timestamp(now + 2 * Milliseconds.day))
    try transaction.run(hasten, (channel: channel, latest: latest, soon: soon))
    return try transaction.reader.number(of: earliest(on: channel), ())
  }

  /// The statement of the time at which the first push of a channel is due.
  static func earliest(on channel: PushChannel) -> SQL<Void> { earliest[Int(channel.rawValue)] }

  func isOverdue(at now: Int64) -> Bool { now - createdAt > channel.deliveryTimeout }

  /// Whether the session of the device has expired since the push was queued.
  func isOfExpiredSession(at now: Int64) -> Bool { sessionExpiresAt.map { $0 <= now } ?? false }

  /// The shortest time between two attempts, for which a push that is being sent is claimed.
  static let claim: Int64 = 30_000

  /// The longest time between two attempts.
  static let longestDelay = Milliseconds.hour

  /// Stores the next attempt before this one, so that the push is sent again if the process ends: after half a minute,
  /// then one, doubling up to an hour.
  func beginAttempt(at now: Int64, in transaction: WriteTransaction) throws {
    let delay: Int64 = min(Self.claim << min(attempts, 20), Self.longestDelay)
    try transaction.run(Self.postpone, (id: id, dueAt: Timestamp(now + delay), attempts: attempts + 1))
  }

  /// Holds the push until `moment`, without an attempt.
  func hold(until moment: Int64, in transaction: WriteTransaction) throws {
    try transaction.run(Self.postpone, (id: id, dueAt: Timestamp(moment), attempts: attempts))
  }

  /// Removes a push that was sent or is not needed any more.
  func remove(_ transaction: WriteTransaction) throws { try transaction.run(Self.delete, id) }

  /// Keeps a push that cannot be delivered for operators.
  func markFailed(_ failure: String, at now: Int64, in transaction: WriteTransaction) throws {
    try transaction.run(Self.markFailed, (id: id, now: Timestamp(now), failure: String(failure.prefix(300))))
  }
}
