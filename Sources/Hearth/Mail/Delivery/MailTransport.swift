/// Delivers mails to a destination.
protocol MailTransport: Sendable {
  /// Returns when the mail is accepted by the server, or is on the disk. Blocks, so it must not be called on a loop.
  /// `sequence` increases from mail to mail.
  func send(_ message: MailMessage, sequence: Int64) throws(MailFailure)

  /// Cancels the mail that is being sent.
  func stop()
}

/// Why a mail could not be sent. Its description contains no address and no secret, because it is logged.
struct MailFailure: Error, CustomStringConvertible {
  let description: String
  /// The mail server's own words, which may contain addresses: they are not logged or stored.
  var reply: String?
  /// Whether a retry cannot succeed.
  var isPermanent = false
}
