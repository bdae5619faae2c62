import Foundation
import Storage

/// `hearth mail queue`: the mails that wait, are tried again later, or have failed.
package struct ShowMailQueueRequest: OperatorCommand, ServedCommand {
  /// The columns of a `Mail`.
  private static let columns = "id, kind, person_id, address, created_at, attempts, due_at, failed_at"

  static let waiting = SQL<(urgency: MailUrgency, limit: Int64)>(
    """
    SELECT \(sql: columns) FROM mail \
    WHERE urgency = \(\.urgency) AND turn IS NOT NULL ORDER BY turn LIMIT \(\.limit)
    """
  )
  static let retried = SQL<(urgency: MailUrgency, limit: Int64)>(
    """
    SELECT \(sql: columns) FROM mail \
    WHERE urgency = \(\.urgency) AND turn IS NULL AND due_at IS NOT NULL ORDER BY due_at LIMIT \(\.limit)
    """
  )
  /// The newest.
  static let failed = SQL<Int64>(
    """
    SELECT \(sql: columns) FROM mail \
    WHERE due_at IS NULL AND created_at > 0 AND failed_at IS NOT NULL ORDER BY created_at DESC LIMIT \(\.self)
    """
  )

  package struct Mail: Codable, Sendable {
    package let number: Int
    /// Such as `passwordReset`.
    package let kind: String
    /// `waiting`, `retrying` or `failed`.
    package let state: String
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
    package let mails: [Mail]
  }

  package static let words = "mail queue"

  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  func run(on server: ControlledServer) async throws -> Response {
    let limit = Int64(ListLimit.clamped(limit))
    let (cipher, lastFailure) = (server.services.cipher, server.mail.lastFailure)
    return try await server.read { reader in
      let counts = try DataCounts(reader)
      var mails: [Mail] = []
      for urgency in MailUrgency.allCases {
        mails += try reader.all(of: Self.waiting, (urgency: urgency, limit: limit)) { row in
          Mail(row, state: "waiting", cipher: cipher)
        }
      }
      for urgency in MailUrgency.allCases {
        mails += try reader.all(of: Self.retried, (urgency: urgency, limit: limit)) { row in
          Mail(row, state: "retrying", cipher: cipher)
        }
      }
      mails += try reader.all(of: Self.failed, limit) { row in Mail(row, state: "failed", cipher: cipher) }
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

extension ShowMailQueueRequest.Mail {
  fileprivate init(_ row: Row, state: String, cipher: IdentifierCipher) {
    number = Int(row.int64(0))
    kind = MailKind(rawValue: row.int64(1)).map { "\($0)" } ?? "unknown"
    self.state = state
    account = row.optionalInt64(2).map { cipher.text(of: GlobalID(rawValue: $0)) }
    recipient = row.optionalString(3)
    createdAt = Date(milliseconds: row.int64(4))
    attempts = Int(row.int64(5))
    nextAttemptAt = state == "retrying" ? row.optionalInt64(6).map { Date(milliseconds: $0) } : nil
    failedAt = row.optionalInt64(7).map { Date(milliseconds: $0) }
  }
}
