/// A text that is sent by mail. The raw value is its name in files of templates.
package enum LetterKind: String, CaseIterable, Sendable {
  case emailVerification, passwordReset, childAdded, familyInvitation, contactInvitation, parentRemovalRequested,
    parentRemoved, parentLeft, accountDeletion, childDeletion, emailChange, emailChanged, test

  /// What its template can contain, besides the name of the app.
  var placeholders: [MailPlaceholder] {
    switch self {
    case .emailVerification, .passwordReset, .emailChange: [.firstName, .link, .code]
    case .childAdded: [.firstName, .child, .username]
    case .familyInvitation: [.inviter, .family, .link, .code, .stop]
    case .contactInvitation: [.inviter, .link, .stop]
    case .parentRemovalRequested: [.firstName, .requestedBy, .parent, .day]
    case .parentRemoved, .parentLeft, .emailChanged: [.firstName]
    case .accountDeletion: [.firstName, .day]
    case .childDeletion: [.firstName, .child, .day]
    case .test: []
    }
  }
}

/// A value in a template, such as `{firstName}`.
package enum MailPlaceholder: String, CaseIterable, Sendable {
  case app, firstName, inviter, family, child, username, parent, requestedBy, day, link, code
  /// The link by which the recipient stops further invitations.
  case stop

  /// Whether the value is a name that a user has chosen. Nothing may be left of it without links and invisible
  /// characters, so a template contains other words for that case.
  var isName: Bool {
    switch self {
    case .firstName, .inviter, .family, .child, .parent, .requestedBy: true
    case .app, .username, .day, .link, .code, .stop: false
    }
  }
}
