import Foundation
import Storage

/// `hearth mail queue`: the mails that wait, are tried again later, or have failed.
package struct ShowMailQueueRequest: OperatorCommand, ServedCommand {
  /// The columns of a `ListedMail`.
  private static let columns = "id, kind, person_id, address, created_at, attempts, due_at, failed_at"

  static let waiting = SQL<(urgency: MailUrgency, limit: Int64)>(
    """
    SELECT \(sql: columns) FROM mail \
    WHERE urgency = \(\.urgency) AND \(Mail.condition(.waiting)) ORDER BY turn LIMIT \(\.limit)
    """
  )
  static let retried = SQL<(urgency: MailUrgency, limit: Int64)>(
    """
    SELECT \(sql: columns) FROM mail \
    WHERE urgency = \(\.urgency) AND \(Mail.condition(.retrying)) ORDER BY due_at LIMIT \(\.limit)
    """
  )
  /// The newest.
  static let failed = SQL<Int64>(
    """
    SELECT \(sql: columns) FROM mail \
    WHERE \(Mail.condition(.failed)) ORDER BY created_at DESC LIMIT \(\.self)
    """
  )

  package struct ListedMail: Codable, Sendable {
    package let number: Int
    /// Such as `passwordReset`.
    package let kind: String
    package let state: QueueState
    /// The recipient's address, or the id of the account that the mail concerns.
    package let recipient: String?
    package let account: String?
    package let createdAt: Date
    package let attempts: Int
    /// When it is tried again.
    package let nextAttemptAt: Date?
    package let failedAt: Date?
  }

  package struct Response: Codable, Sendable {
    package let counts: ServerStatus.Mails
    /// At most as many as requested of each state.
    package let mails: [ListedMail]
  }

  package static let words = "mail queue"

  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  func run(on server: ControlledServer) async throws -> Response {
    let limit = Int64(ListLimit.clamped(limit))
    let (cipher, lastFailure) = (server.services.cipher, server.mail.lastFailure)
    return try await server.read { reader in
      let counts = try DataCounts(reader)
      var mails: [ListedMail] = []
      for (statement, state) in [(Self.waiting, QueueState.waiting), (Self.retried, .retrying)] {
        for urgency in MailUrgency.allCases {
          mails += try reader.all(of: statement, (urgency: urgency, limit: limit)) { row in
            ListedMail(row, state: state, cipher: cipher)
          }
        }
      }
      mails += try reader.all(of: Self.failed, limit) { row in ListedMail(row, state: .failed, cipher: cipher) }
      return Response(
        counts: ServerStatus.Mails(
          waiting: counts.waitingMails,
          retrying: counts.retriedMails,
          failed: counts.failedMails,
          lastFailure: lastFailure
        ),
        mails: mails
      )
    }
  }
}

extension ShowMailQueueRequest.ListedMail {
  fileprivate init(_ row: Row, state: QueueState, cipher: IdentifierCipher) {
    number = Int(row.int64(0))
    kind = MailKind(rawValue: row.int64(1))?.name ?? "unknown"
    self.state = state
    account = row.optionalInt64(2).map { cipher.text(of: GlobalID(rawValue: $0)) }
    recipient = row.optionalString(3)
    createdAt = row.date(4)
    attempts = Int(row.int64(5))
    nextAttemptAt = state == .retrying ? row.optionalDate(6) : nil
    failedAt = row.optionalDate(7)
  }
}
