import Crypto
import Storage

/// The queue of mails. A mail is inserted by the write that causes it, so that neither exists without the other.
final class MailQueue: Sendable {
  /// Wakes the delivery.
  let signal = QueueSignal()
  private let laneKey: SymmetricKey

  /// - Parameter laneKey: a secret of the data, for the numbers of lanes.
  init(laneKey: [UInt8]) { self.laneKey = SymmetricKey(data: laneKey) }

  /// The lane of mails that a sender causes.
  ///
  /// - Parameters:
  ///   - network: nil when networks cannot be distinguished.
  ///   - sender: a person, or the mailbox that a visitor has named.
  func lane(network: ClientNetwork?, sender: LimitedSubject) -> MailLane {
    MailLane(network: network, sender: sender, key: laneKey)
  }

  /// Queues a mail to a person, or to `address` on the person's behalf.
  func append(
    _ kind: MailKind,
    person: GlobalID? = nil,
    address: EmailAddress? = nil,
    subject: GlobalID? = nil,
    lane: MailLane,
    in write: DatedWrite
  ) throws {
    let turn = try MailTurn(kind.urgency, lane: lane, in: write.transaction)
    let mail = Mail(
      kind: kind,
      person: person,
      address: address?.text,
      subject: subject,
      createdAt: write.now,
      dueAt: write.now,
      urgency: kind.urgency,
      network: lane.network,
      sender: lane.sender,
      turn: turn.network,
      senderTurn: turn.sender
    )
    try write.transaction.run(Mail.table.insert, mail)
    write.transaction.afterCommit { self.signal.wake() }
  }
}
