import Crypto
import Foundation
import Storage

/// The network and the sender on whose behalf a mail is sent. Networks take turns, and within a network its senders do:
/// however many mails one of them has waiting, the next mail of another waits for only one of them.
struct MailLane: Equatable, Sendable {
  let network: Int64
  let sender: Int64

  /// Only keyed hashes are stored: a reader of the database learns no address. They are equal in all processes that
  /// share the database.
  /// - Parameters:
  ///   - network: nil when networks cannot be distinguished. Then senders take turns.
  ///   - sender: a person, or the mailbox that a visitor has named.
  ///   - key: a secret of the data.
  init(network: ClientNetwork?, sender: LimitedSubject, key: SymmetricKey) {
    self.sender = Self.number(of: sender.text, key: key)
    self.network = network.map { Self.number(of: "network \($0.lane.key)", key: key) } ?? self.sender
  }

  init(network: Int64, sender: Int64) {
    self.network = network
    self.sender = sender
  }

  private static func number(of name: String, key: SymmetricKey) -> Int64 {
    let code = HMAC<SHA256>.authenticationCode(for: Data("mail lane \(name)".utf8), using: key)
    return Int64(bitPattern: code.prefix(8).reduce(0 as UInt64) { number, byte in number << 8 | UInt64(byte) })
  }
}

/// The turns that a mail gets when it enters the queue: start-time fair queueing, in whole turns.
///
/// The next mail of a network is one turn after its last waiting mail. A network without waiting mails begins with the
/// earliest turn in the queue. Senders within a network are counted in the same way.
struct MailTurn: Sendable {
  static let ends = SQL<(urgency: MailUrgency, network: Int64, sender: Int64)>(
    """
    SELECT (SELECT turn FROM mail WHERE urgency = \(\.urgency) AND \(Mail.condition(.waiting)) \
    ORDER BY turn LIMIT 1), \
    (SELECT turn FROM mail WHERE urgency = \(\.urgency) AND network = \(\.network) \
    AND \(Mail.condition(.waiting)) ORDER BY turn DESC LIMIT 1), \
    (SELECT sender_turn FROM mail WHERE urgency = \(\.urgency) AND network = \(\.network) \
    AND \(Mail.condition(.waiting)) ORDER BY sender_turn LIMIT 1), \
    (SELECT sender_turn FROM mail WHERE urgency = \(\.urgency) AND network = \(\.network) \
    AND sender = \(\.sender) AND \(Mail.condition(.waiting)) ORDER BY sender_turn DESC LIMIT 1)
    """
  )

  let network: Int64
  let sender: Int64

  init(_ urgency: MailUrgency, lane: MailLane, in transaction: WriteTransaction) throws {
    let ends =
      try transaction.reader.first(
        of: Self.ends,
        (urgency: urgency, network: lane.network, sender: lane.sender)
      ) { row in (0..<4).map { row.optionalInt64($0) } } ?? [nil, nil, nil, nil]
    network = Self.next(earliest: ends[0], own: ends[1])
    sender = Self.next(earliest: ends[2], own: ends[3])
  }

  private static func next(earliest: Int64?, own: Int64?) -> Int64 { max(earliest ?? 0, own.map { $0 + 1 } ?? 0) }
}
