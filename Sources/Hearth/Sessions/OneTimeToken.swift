import Storage

/// A row of `one_time_token`: permits the holder of a secret to do something once. The secret is 256 random bits. Only
/// its hash is stored.
struct OneTimeToken: Sendable {
  /// Raw values are stored, so they never change.
  enum Purpose: Int64, NumberedCase {
    case emailVerification = 1
    case passwordReset = 2
    case familyInvitation = 3
    case signInCode = 4
    case emailChange = 5

    /// In milliseconds.
    var lifetime: Int64 {
      switch self {
      case .emailVerification, .familyInvitation: 7 * Milliseconds.day
      case .passwordReset: Milliseconds.hour
      case .signInCode: 10 * Milliseconds.minute
      case .emailChange: Milliseconds.day
      }
    }
  }

  /// The SHA-256 of the secret.
  var hash: [UInt8]
  var purpose: Purpose
  /// A person, a child, a family or an invitation.
  var subject: GlobalID
  /// The child's family, for a sign-in code.
  var family: GlobalID?
  /// The address that is being verified, in the form of comparisons.
  var emailKey: String?
  var expiresAt: Timestamp
  /// The parent who created a sign-in code, if recorded.
  var issuedBy: GlobalID?

  static let table = Table<OneTimeToken>(
    "one_time_token",
    [
      Column("hash", \.hash),
      Column("purpose", \.purpose),
      Column("subject_id", \.subject),
      Column("family_id", \.family),
      Column("email_key", \.emailKey),
      Column("expires_at", \.expiresAt),
      Column("issued_by", \.issuedBy),
    ]
  )
}
