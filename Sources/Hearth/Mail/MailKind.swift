/// What a mail is for. A raw value is in every database, so it never changes.
enum MailKind: Int64, Sendable {
  case emailVerification = 1
  case passwordReset = 2
  case childAdded = 3
  case familyInvitation = 4
  case contactInvitation = 5

  var urgency: MailUrgency {
    switch self {
    case .emailVerification, .passwordReset, .childAdded: .requested
    case .familyInvitation, .contactInvitation: .invitations
    }
  }
}

/// Which mails are sent before which others. A raw value is in every database, so it never changes.
enum MailUrgency: Int64, CaseIterable, Sendable {
  /// Mails to who has requested them, and may be waiting for them.
  case requested = 0
  case invitations = 1
}
