import Storage

/// Mail that waits. It is put here by the write that it tells of, so there is never the one without the other.
final class MailQueue: Sendable {
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
    let mail = Mail(
      kind: kind,
      person: person,
      address: address?.text,
      subject: subject,
      createdAt: Timestamp(now),
      dueAt: Timestamp(now),
      urgency: kind.urgency,
      network: lane.network,
      sender: lane.sender,
      turn: turn.network,
      senderTurn: turn.sender
    )
    try transaction.run(Mail.table.insert, mail)
    transaction.afterCommit { self.wake() }
  }

  func wake() { waking.yield() }

  /// No more wakes come.
  func close() { waking.finish() }
}
