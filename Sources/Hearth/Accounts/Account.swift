import Storage

/// A row of `account`: what a person signs in with, which only they see. The counts are kept by triggers.
struct Account: StoredRow {
  /// The person's key.
  var id: GlobalID
  var email: String
  /// The address as it is compared: in lower case.
  var emailKey: String
  var isEmailVerified = false
  var hidesEmail = false
  var phone: String?
  /// The number as it is compared (E.164). Nil where what was written is not a number, or was never compared.
  var phoneKey: String?
  /// Nil for accounts that sign in with an identity only.
  var passwordHash: String?
  var contactCount: Int64 = 0
  var notificationCount: Int64 = 0
  var unreadCount: Int64 = 0

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
    ]
  )
}
