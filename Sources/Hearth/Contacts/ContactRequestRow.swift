import Storage

/// Requests as they are written. A request that was answered or taken back is gone.
enum ContactRequestRow {
  /// How many somebody can have sent, and not heard of.
  static let maximumOfPerson: Int64 = 1_000

  /// That the request `r` is between two people, whoever has asked.
  static func isBetween(_ one: String, _ other: String) -> String {
    """
    r.to_id IS NOT NULL AND min(r.from_id, r.to_id) = min(\(one), \(other)) \
    AND max(r.from_id, r.to_id) = max(\(one), \(other))
    """
  }

  static func isBetween<Parameters>(
    _ one: SQLFragment<Parameters>,
    _ other: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    """
    r.to_id IS NOT NULL AND min(r.from_id, r.to_id) = min(\(one), \(other)) \
    AND max(r.from_id, r.to_id) = max(\(one), \(other))
    """
  }

  static let insert = SQL(
    """
    INSERT INTO contact_request \
    (id, from_id, to_id, offered, requested, message, invited_email, invited_key, created_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """
  )
  static let between = SQL(
    "SELECT r.id, r.from_id, r.offered FROM contact_request AS r WHERE \(isBetween("?1", "?2"))"
  )
  static let invitation = SQL(
    "SELECT id FROM contact_request WHERE invited_key = ?2 AND from_id = ?1 AND to_id IS NULL"
  )
  static let countOfPerson = SQL("SELECT count(*) FROM contact_request WHERE from_id = ?1")
  static let byKey = SQL("SELECT from_id, offered FROM contact_request WHERE id = ?1 AND to_id = ?2")
  static let delete = SQL("DELETE FROM contact_request WHERE id = ?1")
  static let deleteSent = SQL("DELETE FROM contact_request WHERE id = ?1 AND from_id = ?2")
  static let deleteReceived = SQL("DELETE FROM contact_request WHERE id = ?1 AND to_id = ?2")
  static let deleteBetween = SQL("DELETE FROM contact_request AS r WHERE \(isBetween("?1", "?2"))")
  static let deleteOfPerson = SQL("DELETE FROM contact_request WHERE from_id = ?1 OR to_id = ?1")

  struct Found: Sendable {
    let key: GlobalID
    let from: GlobalID
    let offered: Scopes
  }

  /// What somebody asks, as the form has it.
  struct Asked: Sendable {
    let from: GlobalID
    let offered: Scopes
    let requested: Scopes
    let message: String?
  }

  /// The request that is open between two people.
  static func find(between one: GlobalID, _ other: GlobalID, _ transaction: WriteTransaction) throws -> Found? {
    let statement = try transaction.statement(between)
    try statement.bind(1, one.rawValue)
    try statement.bind(2, other.rawValue)
    return try statement.first { row in
      Found(
        key: GlobalID(rawValue: row.int64(0)),
        from: GlobalID(rawValue: row.int64(1)),
        offered: Scopes(bits: row.int64(2))
      )
    }
  }

  /// Writes a request to `person`, or an invitation to `address`.
  static func insert(
    _ asked: Asked,
    to person: GlobalID?,
    address: EmailAddress? = nil,
    at now: Int64,
    field: [String],
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    let counting = try transaction.statement(countOfPerson)
    try counting.bind(1, asked.from.rawValue)
    guard try counting.first({ row in row.int64(0) }) ?? 0 < maximumOfPerson else {
      let message = "You have sent \(maximumOfPerson) requests that nobody has answered: take some back first."
      throw Refused(field, .notAllowed, message)
    }
    let key = try KeySequence.next(.contactRequest, transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, key.rawValue)
    try statement.bind(2, asked.from.rawValue)
    try statement.bind(3, person?.rawValue)
    try statement.bind(4, asked.offered.bits)
    try statement.bind(5, asked.requested.bits)
    try statement.bind(6, asked.message)
    try statement.bind(7, address?.text)
    try statement.bind(8, address?.key)
    try statement.bind(9, now)
    try statement.run()
    return key
  }

  static func notFound(_ field: String) -> UserError {
    UserError(field: [field], code: .notFound, message: "There is no open request of this id.")
  }
}
