import Storage

/// Contact details as they are written.
enum ContactInfoRow {
  /// How many somebody can have.
  static let maximumOfPerson = 100

  static let insert = SQL(
    """
    INSERT INTO contact_info (person_id, id, scope, kind, label, is_primary, value, match_key, country_code, extension, \
    line2, city, region, postal_code, country, formatted) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
    """
  )
  static let update = SQL(
    """
    UPDATE contact_info SET scope = ?3, kind = ?4, label = ?5, is_primary = ?6, value = ?7, match_key = ?8, \
    country_code = ?9, extension = ?10, line2 = ?11, city = ?12, region = ?13, postal_code = ?14, country = ?15, \
    formatted = ?16 WHERE id = ?2 AND person_id = ?1
    """
  )
  static let byKey = SQL("SELECT scope, is_primary, label FROM contact_info WHERE id = ?2 AND person_id = ?1")
  static let demote = SQL(
    """
    UPDATE contact_info SET is_primary = 0 \
    WHERE person_id = ?1 AND scope = ?2 AND kind = ?3 AND is_primary AND id <> ?4
    """
  )
  static let countOfPerson = SQL("SELECT count(*) FROM contact_info WHERE person_id = ?1")
  static let delete = SQL("DELETE FROM contact_info WHERE id = ?2 AND person_id = ?1")

  struct Row: Sendable {
    let key: GlobalID
    let person: GlobalID
    let scope: Scope
    let label: String?
    let isPrimary: Bool
    let content: ContactInfoForm.Content
  }

  /// Writes the row by `insert` or `update`. Of each kind there is one at most that is the first to try in its scope.
  static func write(_ row: Row, by sql: SQL<Positional>, _ transaction: WriteTransaction) throws {
    if row.isPrimary {
      let kind = row.content.kind.stored
      try transaction.run(demote, row.person.rawValue, row.scope.stored, kind, row.key.rawValue)
    }
    let statement = try transaction.statement(sql)
    try statement.bind(1, row.person.rawValue)
    try statement.bind(2, row.key.rawValue)
    try statement.bind(3, row.scope.stored)
    try statement.bind(4, row.content.kind.stored)
    try statement.bind(5, row.label)
    try statement.bind(6, row.isPrimary)
    switch row.content {
    case .email(let address):
      try statement.bind(7, address.text)
    case .phone(let phone):
      try statement.bind(7, phone.e164)
      try statement.bind(8, phone.e164)
      try statement.bind(9, phone.countryCode)
      try statement.bind(10, phone.extension)
      try statement.bind(16, phone.formatted)
    case .address(let address):
      try statement.bind(7, address.line1)
      try statement.bind(11, address.line2)
      try statement.bind(12, address.city)
      try statement.bind(13, address.region)
      try statement.bind(14, address.postalCode)
      try statement.bind(15, address.country)
    }
    try statement.run()
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "You have no contact detail of this id.")
  }
}
