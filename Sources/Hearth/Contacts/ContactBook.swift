import Storage

/// Contacts as they are written: always the rows of both people at once.
enum ContactBook {
  /// How many somebody can have.
  static let maximumOfPerson: Int64 = 10_000

  static let insert = SQL(
    """
    INSERT INTO contact (owner_id, id, person_id, name_key, sharing, since) \
    SELECT ?1, ?2, id, name_key, ?4, ?5 FROM person WHERE id = ?3
    """
  )
  static let between = SQL("SELECT id FROM contact WHERE person_id = ?2 AND owner_id = ?1")
  static let isFull = SQL("SELECT 1 FROM account WHERE id IN (?1, ?2) AND contact_count >= \(maximumOfPerson)")
  static let deletePair = SQL(
    "DELETE FROM contact WHERE (owner_id = ?1 AND person_id = ?2) OR (owner_id = ?2 AND person_id = ?1)"
  )
  static let deleteOfOthers = SQL("DELETE FROM contact WHERE person_id = ?1")
  static let deleteOwn = SQL("DELETE FROM contact WHERE owner_id = ?1")

  /// One of the two, and what they share with the other.
  struct Side: Sendable {
    let person: GlobalID
    let sharing: Scopes
  }

  /// The contact in `owner`'s book.
  static func contact(of owner: GlobalID, with person: GlobalID, _ transaction: WriteTransaction) throws -> GlobalID? {
    let statement = try transaction.statement(between)
    try statement.bind(1, owner.rawValue)
    try statement.bind(2, person.rawValue)
    return try statement.first { row in GlobalID(rawValue: row.int64(0)) }
  }

  /// Whether neither's book is full.
  static func haveRoom(_ one: GlobalID, _ other: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
    let looking = try transaction.statement(isFull)
    try looking.bind(1, one.rawValue)
    try looking.bind(2, other.rawValue)
    return try looking.first { _ in true } == nil
  }

  /// Puts each in the other's book and ends what was asked between them; gives the contact in the first one's. `field`
  /// is the input that is refused where one of the books is full.
  static func connect(
    _ one: Side,
    _ other: Side,
    at now: Int64,
    field: [String],
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    guard try haveRoom(one.person, other.person, transaction) else {
      throw Refused(field, .notAllowed, "One of the two address books is full.")
    }
    let keys = try KeySequence.next(2, .contact, transaction)
    for (key, owner, person) in [(keys[0], one, other), (keys[1], other, one)] {
      try transaction.run(
        insert,
        owner.person.rawValue,
        key.rawValue,
        person.person.rawValue,
        owner.sharing.bits,
        now
      )
    }
    try transaction.run(ContactRequestRow.deleteBetween, one.person.rawValue, other.person.rawValue)
    return keys[0]
  }

  /// Takes somebody who leaves out of all books and requests.
  static func remove(_ person: GlobalID, _ transaction: WriteTransaction) throws {
    try transaction.run(deleteOfOthers, person.rawValue)
    try transaction.run(deleteOwn, person.rawValue)
    try transaction.run(ContactRequestRow.deleteOfPerson, person.rawValue)
  }

  static func notFound(_ field: String) -> UserError {
    UserError(field: [field], code: .notFound, message: "Your address book has no contact of this id.")
  }
}
