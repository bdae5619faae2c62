import Storage

/// A row of `email_change`: the new address of an account, which awaits its confirmation.
struct EmailChange: Sendable {
  var person: GlobalID
  var email: String
  /// The address in the form of comparisons.
  var emailKey: String
  var requestedAt: Timestamp

  static let table = Table<EmailChange>(
    "email_change",
    [
      Column("person_id", \.person),
      Column("email", \.email),
      Column("email_key", \.emailKey),
      Column("requested_at", \.requestedAt),
    ]
  )
  /// A new request replaces the previous one.
  static let record = EmailChange.table.insert(
    then: """
      ON CONFLICT (person_id) DO UPDATE SET email = \(\.email), email_key = \(\.emailKey), \
      requested_at = \(\.requestedAt)
      """
  )
  static let ofPerson = SQL<GlobalID>("SELECT email, email_key FROM email_change WHERE person_id = \(\.self)")
  static let delete = SQL<GlobalID>("DELETE FROM email_change WHERE person_id = \(\.self)")

  static func find(of person: GlobalID, from reader: Reader) throws -> (email: String, emailKey: String)? {
    try reader.first(of: ofPerson, person) { row in (row.string(0), row.string(1)) }
  }

  /// Deletes the request of a person, and revokes its tokens.
  static func end(of person: GlobalID, in transaction: WriteTransaction) throws {
    try OneTimeToken.revoke(.emailChange, of: person, in: transaction)
    try transaction.run(delete, person)
  }
}
