import Storage

/// The purpose of a mail. Raw values are stored in every database and must never change. The name of a case is that of
/// its template in files of templates.
enum MailKind: Int64, NumberedCase, CaseIterable {
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
  case identityLinked = 13
  /// Never queued: see `MailComposer.testMessage`.
  case test = 0

  var name: String { "\(self)" }

  init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  var urgency: MailUrgency {
    switch self {
    case .emailVerification, .passwordReset, .childAdded, .parentRemovalRequested, .parentRemoved, .parentLeft,
      .accountDeletion, .childDeletion, .emailChange, .emailChanged, .identityLinked, .test:
      .requested
    case .familyInvitation, .contactInvitation: .invitations
    }
  }

  /// What its template can contain, besides the name of the app.
  var placeholders: [MailPlaceholder] {
    switch self {
    case .emailVerification, .passwordReset, .emailChange: [.firstName, .link, .code]
    case .childAdded: [.firstName, .child, .username]
    case .familyInvitation: [.inviter, .family, .link, .code, .stop]
    case .contactInvitation: [.inviter, .link, .stop]
    case .parentRemovalRequested: [.firstName, .requestedBy, .parent, .day]
    case .parentRemoved, .parentLeft, .emailChanged, .identityLinked: [.firstName]
    case .accountDeletion: [.firstName, .day]
    case .childDeletion: [.firstName, .child, .day]
    case .test: []
    }
  }
}

/// The priority classes of mails. Raw values are stored in every database and must never change.
enum MailUrgency: Int64, CaseIterable, NumberedCase {
  /// Mails that the recipient has requested and may be waiting for.
  case requested = 0
  case invitations = 1
}
