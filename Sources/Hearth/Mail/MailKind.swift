/// What a mail is for. A raw value is in every database, so it never changes.
enum MailKind: Int64, Sendable {
  case emailVerification = 1
  case passwordReset = 2
  case childAdded = 3
  case familyInvitation = 4
  case contactInvitation = 5
}
