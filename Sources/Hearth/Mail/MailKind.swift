import Storage

/// What a mail is for. A raw value is in every database, so it never changes.
enum MailKind: Int64, NumberedCase {
  case emailVerification = 1
  case passwordReset = 2
  case childAdded = 3
  case familyInvitation = 4
  case contactInvitation = 5
  case parentRemovalRequested = 6
  case parentRemoved = 7
  case parentLeft = 8

  var urgency: MailUrgency {
    switch self {
    case .emailVerification, .passwordReset, .childAdded, .parentRemovalRequested, .parentRemoved, .parentLeft:
      .requested
    case .familyInvitation, .contactInvitation: .invitations
    }
  }
}

/// Which mails are sent before which others. A raw value is in every database, so it never changes.
enum MailUrgency: Int64, CaseIterable, NumberedCase {
  /// Mails to who has requested them, and may be waiting for them.
  case requested = 0
  case invitations = 1
}
