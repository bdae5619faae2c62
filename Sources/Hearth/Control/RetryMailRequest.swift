import Storage

/// `hearth mail retry`: sends mails now that failed or are tried again later.
///
/// Their days of attempts begin again. The attempts before count as one, so that a mail to reset a password is not
/// charged to its mailbox a second time (`MailComposer`).
package struct RetryMailRequest: OperatorCommand, RetryRequest {
  typealias Part = MailUrgency

  /// Mails that are tried again later.
  static let allRetried = SQL<(part: MailUrgency, now: Timestamp)>(
    """
    UPDATE mail SET due_at = \(\.now), created_at = \(\.now), attempts = 1 \
    WHERE urgency = \(\.part) AND turn IS NULL AND due_at > \(\.now)
    """
  )
  static let allFailed = SQL<(now: Timestamp, limit: Int64)>(
    """
    UPDATE mail SET due_at = \(\.now), created_at = \(\.now), attempts = 1, failed_at = NULL \
    WHERE id IN (SELECT id FROM mail WHERE \(Mail.condition(.failed)) AND turn IS NULL \
    ORDER BY created_at LIMIT \(\.limit))
    """
  )
  /// A mail that is tried again later or has failed.
  static let one = SQL<(number: Int64, now: Timestamp)>(
    """
    UPDATE mail SET due_at = \(\.now), created_at = \(\.now), attempts = 1, failed_at = NULL \
    WHERE id = \(\.number) AND turn IS NULL AND sent_at IS NULL AND (due_at IS NOT NULL OR failed_at IS NOT NULL)
    """
  )

  package struct Response: Codable, Sendable {
    /// The number of mails that are sent now.
    package let mails: Int
  }

  static let noun = "mail"

  package static let words = "mail retry"

  /// The number of a mail; nil for all that are tried again later.
  package let number: Int?
  /// Whether all that have failed are meant.
  package let failed: Bool

  package init(number: Int?, failed: Bool) {
    self.number = number
    self.failed = failed
  }

  func run(on server: ControlledServer) async throws -> Response {
    let count = try await retryEntries(on: server)
    server.services.mail.signal.wake()
    if count > 0 { server.log("has had \(count) mails sent again.") }
    return Response(mails: count)
  }
}
