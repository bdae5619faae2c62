import Storage

/// `hearth mail retry`: sends mails now that failed or are tried again later.
package struct MailRetry: OperatorCommand, ServedCommand {
  /// Mails that are tried again later.
  static let allRetried = SQL<(urgency: MailUrgency, now: Timestamp)>(
    """
    UPDATE mail SET due_at = \(\.now) WHERE urgency = \(\.urgency) AND turn IS NULL AND due_at > \(\.now)
    """
  )
  /// A mail that is tried again later or has failed. Its days of attempts begin again.
  static let one = SQL<(number: Int64, now: Timestamp)>(
    """
    UPDATE mail SET due_at = \(\.now), created_at = \(\.now), attempts = 0, failed_at = NULL \
    WHERE id = \(\.number) AND turn IS NULL AND sent_at IS NULL AND (due_at IS NOT NULL OR failed_at IS NOT NULL)
    """
  )

  package struct Response: Codable, Sendable {
    /// The number of mails that are sent now.
    package let mails: Int
  }

  package static let words = "mail retry"

  /// The number of a mail; nil for all that are tried again later.
  package let number: Int?

  package init(number: Int?) { self.number = number }

  func run(on server: ControlledServer) async throws -> Response {
    let (number, now, signal) = (number, Timestamp(server.now), server.services.mail.signal)
    let count = try await server.write { transaction in
      transaction.afterCommit { signal.wake() }
      guard let number else {
        return try MailUrgency.allCases.reduce(0) { count, urgency in
          try transaction.run(Self.allRetried, (urgency: urgency, now: now))
          return count + transaction.changedRows
        }
      }
      try transaction.run(Self.one, (number: Int64(number), now: now))
      guard transaction.changedRows > 0 else {
        throw CommandFailure("No mail with the number \(number) has failed or is tried again later.")
      }
      return 1
    }
    if count > 0 { server.log("has had \(count) mails sent again.") }
    return Response(mails: count)
  }
}
