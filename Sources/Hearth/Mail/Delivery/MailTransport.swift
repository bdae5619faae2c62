/// Takes mails to where they go.
protocol MailTransport: Sendable {
  /// Returns when the mail is in others' hands, or on the disk. Blocks: never on a loop. `sequence` rises from mail to
  /// mail.
  func send(_ message: Message, sequence: Int64) throws(MailFailure)

  /// Lets nobody wait longer for what is being sent.
  func stop()
}

/// Why a mail could not be sent. It holds no address and no secret: it is for the log.
struct MailFailure: Error, CustomStringConvertible {
  let description: String
  /// Whether there is no use in trying again.
  var isPermanent = false
}
