import Storage

/// Inserts, updates and finds contact details.
extension ContactInfo {
  /// A contact detail and its owner. No row matches a nil key.
  typealias Key = (person: GlobalID, info: GlobalID?)

  /// What a contact detail states beside its content.
  typealias Description = (
    person: GlobalID, info: GlobalID, kind: ContactInfoKind, scope: Scope, label: String?, isPrimary: Bool
  )

  /// The maximum number of contact details per person.
  static let maximumOfPerson = 100

  static let update = ContactInfo.table.overwrite(matching: [\.id, \.person])
  static let byKey = SQL<Key>(
    "SELECT scope, is_primary, label, kind FROM contact_info WHERE id = \(\.info) AND person_id = \(\.person)"
  )
  static let describe = SQL<Description>(
    """
    UPDATE contact_info SET scope = \(\.scope), label = \(\.label), is_primary = \(\.isPrimary) \
    WHERE id = \(\.info) AND person_id = \(\.person)
    """
  )
  static let demote = SQL<Description>(
    """
    UPDATE contact_info SET is_primary = 0 WHERE person_id = \(\.person) AND scope = \(\.scope) \
    AND kind = \(\.kind) AND \(isTrue: "is_primary") AND id <> \(\.info)
    """
  )
  static let countOfPerson = SQL<GlobalID>("SELECT count(*) FROM contact_info WHERE person_id = \(\.self)")
  static let delete = SQL<Key>("DELETE FROM contact_info WHERE id = \(\.info) AND person_id = \(\.person)")

  static func insert(_ info: ContactInfo, in transaction: WriteTransaction) throws {
    try demoteOthers(info.description, in: transaction)
    try transaction.run(ContactInfo.table.insert, info)
  }

  static func update(_ info: ContactInfo, in transaction: WriteTransaction) throws {
    try demoteOthers(info.description, in: transaction)
    try transaction.run(update, info)
  }

  /// Changes all but the content.
  static func update(_ description: Description, in transaction: WriteTransaction) throws {
    try demoteOthers(description, in: transaction)
    try transaction.run(describe, description)
  }

  /// Each scope has at most one preferred contact detail of each kind.
  private static func demoteOthers(_ description: Description, in transaction: WriteTransaction) throws {
    if description.isPrimary { try transaction.run(demote, description) }
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "You have no contact detail with this id.")
  }

  private var description: Description {
    (person: person, info: id, kind: kind, scope: scope, label: label, isPrimary: isPrimary)
  }
}
