import Storage

/// Inserts, updates and finds contact details.
enum ContactInfoRow {
  /// A contact detail and its owner. No row matches a nil key.
  typealias Key = (person: GlobalID, info: GlobalID?)

  /// The maximum number of contact details per person.
  static let maximumOfPerson = 100

  static let update = ContactInfo.table.overwrite(matching: [\.id, \.person])
  static let byKey = SQL<Key>(
    "SELECT scope, is_primary, label FROM contact_info WHERE id = \(\.info) AND person_id = \(\.person)"
  )
  static let demote = SQL<ContactInfo>(
    """
    UPDATE contact_info SET is_primary = 0 \
    WHERE person_id = \(\.person) AND scope = \(\.scope) AND kind = \(\.kind) AND \(isTrue: "is_primary") AND id <> \(\.id)
    """
  )
  static let countOfPerson = SQL<GlobalID>("SELECT count(*) FROM contact_info WHERE person_id = \(\.self)")
  static let delete = SQL<Key>("DELETE FROM contact_info WHERE id = \(\.info) AND person_id = \(\.person)")

  static func insert(_ info: ContactInfo, in transaction: WriteTransaction) throws {
    try demoteOthers(info, in: transaction)
    try transaction.run(ContactInfo.table.insert, info)
  }

  static func update(_ info: ContactInfo, in transaction: WriteTransaction) throws {
    try demoteOthers(info, in: transaction)
    try transaction.run(update, info)
  }

  /// Each scope has at most one preferred contact detail of each kind.
  private static func demoteOthers(_ info: ContactInfo, in transaction: WriteTransaction) throws {
    if info.isPrimary { try transaction.run(demote, info) }
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "You have no contact detail with this id.")
  }
}
