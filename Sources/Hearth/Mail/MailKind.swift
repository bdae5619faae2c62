import Storage

/// The purpose of a mail. Raw values are stored in every database and must never change.
enum MailKind: Int64, NumberedCase {
  case emailVerification = 1
  case passwordReset = 2
  case childAdded = 3
  case familyInvitation = 4
  case contactInvitation = 5
  case parentRemovalRequested = 6
  case parentRemoved = 7
  case parentLeft = 8
  case accountDeletion = 9
  case childDeletion = 10
  case emailChange = 11
  case emailChanged = 12

  var urgency: MailUrgency {
    switch self {
    case .emailVerification, .passwordReset, .childAdded, .parentRemovalRequested, .parentRemoved, .parentLeft,
      .accountDeletion, .childDeletion, .emailChange, .emailChanged:
      .requested
    case .familyInvitation, .contactInvitation: .invitations
    }
  }
}

/// The priority classes of mails. Raw values are stored in every database and must never change.
enum MailUrgency: Int64, CaseIterable, NumberedCase {
  /// Mails that the recipient has requested and may be waiting for.
  case requested = 0
  case invitations = 1
}
