import Storage

/// A row of `account`: the credentials of a person, visible only to them. Triggers maintain the counts.
struct Account: StoredRow {
  /// The person's key.
  var id: GlobalID
  var email: String
  /// The address in the form of comparisons: in lower case.
  var emailKey: String
  var isEmailVerified = false
  var hidesEmail = false
  var phone: String?
  /// The number in the form of comparisons (E.164). Nil if the text is not a number, or was stored before numbers were
  /// compared.
  var phoneKey: String?
  /// Nil for accounts without a password, which sign in with an identity provider.
  var passwordHash: String?
  var contactCount: Int64 = 0
  var notificationCount: Int64 = 0
  var unreadCount: Int64 = 0
  /// The language for mails and for notifications to devices, as a language tag (BCP 47).
  var locale: String?

  static let table = Table<Account>(
    "account",
    [
      Column("id", \.id),
      Column("email", \.email),
      Column("email_key", \.emailKey),
      Column("email_verified", \.isEmailVerified),
      Column("hides_email", \.hidesEmail),
      Column("phone", \.phone),
      Column("phone_key", \.phoneKey),
      Column("password_hash", \.passwordHash),
      Column("contact_count", \.contactCount),
      Column("notification_count", \.notificationCount),
      Column("unread_count", \.unreadCount),
      Column("locale", \.locale),
    ]
  )

  static let hasEmail = SQL<String>("SELECT 1 FROM account WHERE email_key = \(\.self)")

  /// Whether an account has this address.
  static func hasEmail(_ email: EmailAddress, from reader: Reader) throws -> Bool {
    try reader.hasRow(hasEmail, email.key)
  }

  static func emailTaken(_ field: [String]) -> UserError {
    UserError(field: field, code: .taken, message: "There is an account with this e-mail address already.")
  }
}
