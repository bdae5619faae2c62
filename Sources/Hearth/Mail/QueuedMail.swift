import Storage

/// A mail as it waits: what it is about.
struct QueuedMail: Sendable {
  static let due = SQL(
    """
    SELECT id, kind, person_id, address, subject_id, created_at, attempts FROM mail \
    WHERE due_at <= ?1 ORDER BY due_at LIMIT 1
    """
  )
  static let nextDue = SQL("SELECT due_at FROM mail WHERE due_at > ?1 ORDER BY due_at LIMIT 1")
  static let postpone = SQL("UPDATE mail SET attempts = attempts + 1, due_at = ?2 WHERE id = ?1")
  static let drop = SQL("UPDATE mail SET due_at = NULL WHERE id = ?1")
  static let markSent = SQL("UPDATE mail SET due_at = NULL, sent_at = ?2 WHERE id = ?1")
  static let markFailed = SQL("UPDATE mail SET due_at = NULL, failed_at = ?2 WHERE id = ?1")
  static let sweep = SQL(
    """
    DELETE FROM mail WHERE id IN (SELECT id FROM mail WHERE due_at IS NULL AND created_at < ?1 \
    ORDER BY created_at LIMIT ?2)
    """
  )

  /// How long it is tried to send a mail: as RFC 5321, section 4.5.4.1, has it.
  private static let patience: Int64 = 5 * 86_400_000

  let id: Int64
  let kind: MailKind?
  let person: GlobalID?
  let address: String?
  let subject: GlobalID?
  let createdAt: Int64
  /// How often it was tried before.
  let attempts: Int64

  /// The mail that has waited longest of those whose time has come. It is put off at once, so that a process that ends
  /// while it sends, or fails to send, tries again later: after a minute, then two, doubling up to a day.
  static func take(at now: Int64, _ transaction: WriteTransaction) throws -> QueuedMail? {
    let finding = try transaction.statement(due)
    try finding.bind(1, now)
    let mail = try finding.first { row in
      QueuedMail(
        id: row.int64(0),
        kind: MailKind(rawValue: row.int64(1)),
        person: row.optionalInt64(2).map(GlobalID.init(rawValue:)),
        address: row.optionalString(3),
        subject: row.optionalInt64(4).map(GlobalID.init(rawValue:)),
        createdAt: row.int64(5),
        attempts: row.int64(6)
      )
    }
    guard let mail else { return nil }
    let delay: Int64 = min(60_000 << Int64(min(mail.attempts, 20)), 86_400_000)
    try transaction.run(postpone, mail.id, now + delay)
    return mail
  }

  /// When there is something to do again.
  static func nextDue(after now: Int64, _ transaction: WriteTransaction) throws -> Int64? {
    let finding = try transaction.statement(nextDue)
    try finding.bind(1, now)
    return try finding.first { row in row.int64(0) }
  }

  func isOverdue(at now: Int64) -> Bool { now - createdAt > Self.patience }

  /// It is not to be sent, or not any more.
  func drop(_ transaction: WriteTransaction) throws { try transaction.run(Self.drop, id) }

  func markSent(at now: Int64, _ transaction: WriteTransaction) throws {
    try transaction.run(Self.markSent, id, now)
  }

  /// It can never be delivered.
  func markFailed(at now: Int64, _ transaction: WriteTransaction) throws {
    try transaction.run(Self.markFailed, id, now)
  }
}
