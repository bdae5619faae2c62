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
