import Storage

/// A mail in the queue, and what it is about.
struct QueuedMail: Sendable {
  /// The network whose turn it is.
  static let nextNetwork = SQL<MailUrgency>(
    "SELECT id, network, turn FROM mail WHERE urgency = \(\.self) AND \(Mail.condition(.waiting)) ORDER BY turn LIMIT 1"
  )
  /// The mail whose turn it is within a network.
  static let nextOfNetwork = SQL<(urgency: MailUrgency, network: Int64)>(
    """
    SELECT id, kind, person_id, address, subject_id, created_at, attempts, turn FROM mail \
    WHERE urgency = \(\.urgency) AND network = \(\.network) AND \(Mail.condition(.waiting)) \
    ORDER BY sender_turn LIMIT 1
    """
  )
  static let setTurn = SQL<(id: Int64, turn: Int64)>("UPDATE mail SET turn = \(\.turn) WHERE id = \(\.id)")
  static let dueRetries = SQL<(urgency: MailUrgency, now: Timestamp, limit: Int64)>(
    """
    SELECT id, network, sender FROM mail \
    WHERE urgency = \(\.urgency) AND turn IS NULL AND due_at <= \(\.now) ORDER BY due_at LIMIT \(\.limit)
    """
  )
  static let requeue = SQL<(id: Int64, turn: Int64, senderTurn: Int64)>(
    "UPDATE mail SET turn = \(\.turn), sender_turn = \(\.senderTurn) WHERE id = \(\.id)"
  )
  static let nextDue = SQL<(urgency: MailUrgency, now: Timestamp)>(
    """
    SELECT due_at FROM mail WHERE urgency = \(\.urgency) AND turn IS NULL AND due_at > \(\.now) \
    ORDER BY due_at LIMIT 1
    """
  )
  /// The earliest due times of all mails. For each urgency: 0 if a mail waits, and the time of the first retry.
  static let dueTimes: [SQL<Void>] = MailUrgency.allCases.flatMap { [SQL(waiting($0)), SQL(earliestRetry($0))] }
  static let hasten = SQL<(urgency: MailUrgency, latest: Timestamp, soon: Timestamp)>(
    """
    UPDATE mail SET due_at = \(\.soon) WHERE urgency = \(\.urgency) AND turn IS NULL AND due_at > \(\.latest)
    """
  )
  static let postpone = SQL<(id: Int64, dueAt: Timestamp)>(
    """
    UPDATE mail SET attempts = attempts + 1, due_at = \(\.dueAt), turn = NULL, sender_turn = NULL \
    WHERE id = \(\.id)
    """
  )
  static let retry = SQL<(id: Int64, attempts: Int64, dueAt: Timestamp)>(
    """
    UPDATE mail SET due_at = \(\.dueAt) \
    WHERE id = \(\.id) AND attempts = \(\.attempts) AND \(Mail.condition(.retrying))
    """
  )
  /// Deletes the address, which a visitor may have typed. That of an invitation stays: in the export of its sender, its
  /// absence would reveal that no mail was sent.
  static let drop = SQL<Int64>(
    """
    UPDATE mail SET due_at = NULL, address = CASE WHEN \(Mail.isInvitation()) THEN address END WHERE id = \(\.self)
    """
  )
  static let markSent = SQL<(id: Int64, now: Timestamp)>(
    "UPDATE mail SET due_at = NULL, turn = NULL, sender_turn = NULL, sent_at = \(\.now) WHERE id = \(\.id)"
  )
  static let markFailed = SQL<(id: Int64, now: Timestamp)>(
    "UPDATE mail SET due_at = NULL, failed_at = \(\.now) WHERE id = \(\.id)"
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE due_at IS NULL AND created_at < \(\.before) \
    ORDER BY created_at LIMIT \(\.limit))
    """
  )

  private static func waiting(_ urgency: MailUrgency) -> SQLFragment<Void> {
    "SELECT 0 FROM mail WHERE urgency = \(urgency) AND \(Mail.condition(.waiting)) ORDER BY turn LIMIT 1"
  }

  private static func earliestRetry(_ urgency: MailUrgency) -> SQLFragment<Void> {
    "SELECT due_at FROM mail WHERE urgency = \(urgency) AND \(Mail.condition(.retrying)) ORDER BY due_at LIMIT 1"
  }

  /// How long delivery is retried, as recommended by RFC 5321, section 4.5.4.1.
  private static let deliveryTimeout: Int64 = 5 * Milliseconds.day

  let id: Int64
  let kind: MailKind?
  let person: GlobalID?
  let address: String?
  let subject: GlobalID?
  let createdAt: Int64
  /// The number of earlier attempts.
  let attempts: Int64

  /// Mails whose retry is due enter the queue in batches, so that the end of a long outage does not cause one long
  /// write.
  private static let retriesAtOnce: Int64 = 50

  /// Milliseconds for which a mail that is being sent is claimed. Sending ends before (`SMTPRelay`), so that another
  /// process does not send it as well.
  private static let claim: Int64 = 3 * Milliseconds.minute

  /// Milliseconds after which sending a mail that was taken must not begin any more: it could end after the claim.
  static let longestWait = claim - Int64(SMTPRelay.timeout) * 1_000 - 10_000

  /// The mail whose turn it is. It is claimed before it is sent: if the process ends before it has recorded the
  /// outcome, it is sent again.
  static func take(at now: Int64, in transaction: WriteTransaction) throws -> QueuedMail? {
    for urgency in MailUrgency.allCases {
      try requeueDueRetries(urgency, at: now, in: transaction)
      guard let mail = try next(urgency, in: transaction) else { continue }
      try transaction.run(postpone, (id: mail.id, dueAt: Timestamp(now + max(mail.retryDelay, claim))))
      return mail
    }
    return nil
  }

  private static func next(_ urgency: MailUrgency, in transaction: WriteTransaction) throws -> QueuedMail? {
    let first = try transaction.reader.first(of: nextNetwork, urgency) { row in
      (id: row.int64(0), network: row.int64(1))
    }
    guard let first else { return nil }
    let network = (urgency: urgency, network: first.network)
    let found = try transaction.reader.first(of: nextOfNetwork, network) { row in
      let mail = QueuedMail(
        id: row.int64(0),
        kind: MailKind(rawValue: row.int64(1)),
        person: row.optionalKey(2),
        address: row.optionalString(3),
        subject: row.optionalKey(4),
        createdAt: row.int64(5),
        attempts: row.int64(6)
      )
      return (mail: mail, turn: row.int64(7))
    }
    guard let (mail, turn) = found else { return nil }
    // The network's earliest turn is used up. The mail that had it gets the turn of the mail that is sent.
    if mail.id != first.id { try transaction.run(setTurn, (id: first.id, turn: turn)) }
    return mail
  }

  private static func requeueDueRetries(
    _ urgency: MailUrgency,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    let retries = try transaction.reader.all(
      of: dueRetries,
      (urgency: urgency, now: Timestamp(now), limit: retriesAtOnce)
    ) { row in
      (id: row.int64(0), lane: MailLane(network: row.int64(1), sender: row.int64(2)))
    }
    for (id, lane) in retries {
      let turn = try MailTurn(urgency, lane: lane, in: transaction)
      try transaction.run(requeue, (id: id, turn: turn.network, senderTurn: turn.sender))
    }
  }

  /// The time of the earliest retry. A mail whose time is later than any delay was tried while the clock was ahead: it
  /// is tried again soon.
  static func nextDue(after now: Int64, in transaction: WriteTransaction) throws -> Int64? {
    // The clocks of other processes can differ a little.
    let (soon, latest) = (Timestamp(now + 1), Timestamp(now + longestDelay + Milliseconds.hour))
    for urgency in MailUrgency.allCases {
      try transaction.run(hasten, (urgency: urgency, latest: latest, soon: soon))
    }
    return try MailUrgency.allCases.compactMap { urgency in
      try transaction.reader.number(of: nextDue, (urgency: urgency, now: Timestamp(now)))
    }.min()
  }

  /// A mail server is usually back within hours, and people wait for their mails.
  private static let longestDelay = Milliseconds.hour

  /// After one minute, then two, doubling up to one hour.
  private var retryDelay: Int64 { min(Milliseconds.minute << Int64(min(attempts, 20)), Self.longestDelay) }

  /// Ends the claim on a mail that could not be sent, and schedules the next attempt, unless the mail was taken again.
  ///
  /// - Parameter moment: when the mail was taken.
  func retry(after moment: Int64, in transaction: WriteTransaction) throws {
    try transaction.run(Self.retry, (id: id, attempts: attempts + 1, dueAt: Timestamp(moment + retryDelay)))
  }

  func isOverdue(at now: Int64) -> Bool { now - createdAt > Self.deliveryTimeout }

  /// Removes a mail that is not needed any more from the queue.
  func drop(_ transaction: WriteTransaction) throws { try transaction.run(Self.drop, id) }

  /// Records that the mail was sent. It loses its turn if its claim has ended meanwhile.
  func markSent(at now: Int64, in transaction: WriteTransaction) throws {
    try transaction.run(Self.markSent, (id: id, now: Timestamp(now)))
  }

  /// Marks a mail that cannot be delivered.
  func markFailed(at now: Int64, in transaction: WriteTransaction) throws {
    try transaction.run(Self.markFailed, (id: id, now: Timestamp(now)))
  }
}
