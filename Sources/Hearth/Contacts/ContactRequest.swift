import Storage

/// A row of `contact_request`: an open request to a person, or an invitation to an address.
struct ContactRequest: StoredRow {
  var id: GlobalID
  var from: GlobalID
  /// Nil until an account verifies the invited address.
  var to: GlobalID?
  var offered: Scopes
  var requested: Scopes
  var message: String?
  var invitedEmail: String?
  /// The address in the form of comparisons.
  var invitedKey: String?
  var createdAt: Timestamp

  static let table = Table<ContactRequest>(
    "contact_request",
    [
      Column("id", \.id),
      Column("from_id", \.from),
      Column("to_id", \.to),
      Column("offered", \.offered),
      Column("requested", \.requested),
      Column("message", \.message),
      Column("invited_email", \.invitedEmail),
      Column("invited_key", \.invitedKey),
      Column("created_at", \.createdAt),
    ]
  )
}
