import Storage

/// The password of an account, of which the hash is stored.
enum StoredPassword {
  static let hashOfPerson = SQL<GlobalID>("SELECT password_hash FROM account WHERE id = \(\.self)")
  static let set = SQL<(person: GlobalID, hash: String)>(
    "UPDATE account SET password_hash = \(\.hash) WHERE id = \(\.person)"
  )

  /// Returns nil for an account without a password.
  static func hash(of person: GlobalID, from reader: Reader) throws -> String? {
    try reader.first(of: hashOfPerson, person) { row in row.optionalString(0) } ?? nil
  }

  /// Sets a new password, and revokes open links to reset the old one. What was begun with the old one ends by
  /// `Sessions.endAll(openedBy:)`.
  static func set(_ hash: String, of person: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(set, (person: person, hash: hash))
    try OneTimeToken.revoke(.passwordReset, of: person, in: transaction)
  }
}
