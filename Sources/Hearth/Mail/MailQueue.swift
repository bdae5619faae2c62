import Storage

/// Mail that waits. It is put here by the write that it tells of, so there is never the one without the other.
final class MailQueue: Sendable {
  static let insert = SQL(
    """
    INSERT INTO mail \
    (kind, person_id, address, subject_id, created_at, due_at, urgency, network, sender, turn, sender_turn) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9, ?10)
    """
  )

  /// An element each time that there may be something to send. Several that come at once are one.
  let wakes: AsyncStream<Void>
  private let waking: AsyncStream<Void>.Continuation

  init() {
    (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Queues a mail to the person, or to `address` on the person's behalf.
  func append(
    _ kind: MailKind,
    person: GlobalID? = nil,
    address: EmailAddress? = nil,
    subject: GlobalID? = nil,
    in lane: MailLane,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let turn = try MailTurn(kind.urgency, lane, transaction)
    let statement = try transaction.statement(Self.insert)
    try statement.bind(1, kind.rawValue)
    try statement.bind(2, person?.rawValue)
    try statement.bind(3, address?.text)
    try statement.bind(4, subject?.rawValue)
    try statement.bind(5, now)
    try statement.bind(6, kind.urgency.rawValue)
    try statement.bind(7, lane.network)
    try statement.bind(8, lane.sender)
    try statement.bind(9, turn.network)
    try statement.bind(10, turn.sender)
    try statement.run()
    transaction.afterCommit { self.wake() }
  }

  func wake() { waking.yield() }

  /// No more wakes come.
  func close() { waking.finish() }
}
