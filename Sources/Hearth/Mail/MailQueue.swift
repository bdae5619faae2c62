import Storage

/// Mail that waits. It is put here by the write that it tells of, so there is never the one without the other.
final class MailQueue: Sendable {
  static let insert = SQL(
    """
    INSERT INTO mail (kind, person_id, address, subject_id, created_at, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
    """
  )

  /// An element each time that there may be something to send. Several that come at once are one.
  let wakes: AsyncStream<Void>
  private let waking: AsyncStream<Void>.Continuation

  init() {
    (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Asks for the person to be written to, or for a mail to `address` on the person's behalf.
  func append(
    _ kind: MailKind,
    person: GlobalID? = nil,
    address: EmailAddress? = nil,
    subject: GlobalID? = nil,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(Self.insert)
    try statement.bind(1, kind.rawValue)
    try statement.bind(2, person?.rawValue)
    try statement.bind(3, address?.text)
    try statement.bind(4, subject?.rawValue)
    try statement.bind(5, now)
    try statement.run()
    transaction.afterCommit { self.wake() }
  }

  func wake() { waking.yield() }

  /// No more wakes come.
  func close() { waking.finish() }
}
