import Storage

/// Inserts and deletes contacts, always both rows of a pair.
enum ContactBook {
  typealias Pair = (owner: GlobalID, person: GlobalID)
  typealias Addition = (owner: GlobalID, id: GlobalID, person: GlobalID, sharing: Scopes, now: Timestamp)

  /// The maximum number of contacts per person.
  static let maximumOfPerson: Int64 = 10_000

  static let insert: SQL<Addition> = Contact.table.insert(
    [
      .setting(\.owner, to: "\(\.owner)"),
      .setting(\.id, to: "\(\.id)"),
      .setting(\.person, to: "id"),
      .setting(\.nameKey, to: "name_key"),
      .setting(\.sharing, to: "\(\.sharing)"),
      .setting(\.since, to: "\(\.now)"),
    ],
    from: "person WHERE id = \(\.person)"
  )
  static let between = SQL<Pair>("SELECT id FROM contact WHERE person_id = \(\.person) AND owner_id = \(\.owner)")
  static let isFull = SQL<(one: GlobalID, other: GlobalID)>(
    """
    SELECT 1 FROM account WHERE id IN (\(\.one), \(\.other)) AND contact_count >= \(sql: String(maximumOfPerson))
    """
  )
  /// Updates the sort key of a renamed person in the address books of their contacts.
  static let reorder = SQL<(person: GlobalID, nameKey: String)>(
    "UPDATE contact SET name_key = \(\.nameKey) WHERE person_id = \(\.person)"
  )
  static let deletePair = SQL<Pair>(
    """
    DELETE FROM contact WHERE (owner_id = \(\.owner) AND person_id = \(\.person)) \
    OR (owner_id = \(\.person) AND person_id = \(\.owner)) RETURNING owner_id, id
    """
  )
  static let deleteOfOthers = SQL<GlobalID>("DELETE FROM contact WHERE person_id = \(\.self)")
  static let deleteOwn = SQL<GlobalID>("DELETE FROM contact WHERE owner_id = \(\.self)")

  /// One of two contacts, and what they share with the other.
  struct Side: Sendable {
    let person: GlobalID
    let sharing: Scopes
  }

  /// The contact for `person` in the address book of `owner`.
  static func contact(of owner: GlobalID, with person: GlobalID, from reader: Reader) throws -> GlobalID? {
    try reader.first(of: between, (owner: owner, person: person)) { row in
      row.key(0)
    }
  }

  /// Whether both address books have room for another contact.
  static func haveRoom(_ one: GlobalID, _ other: GlobalID, from reader: Reader) throws -> Bool {
    try !reader.hasRow(isFull, (one: one, other: other))
  }

  /// Adds each person to the other's address book, deletes the open requests and invitations between them, and returns
  /// the contacts in the first one's address book and in the other's.
  ///
  /// - Parameter field: the input field of the error if one of the address books is full.
  static func connect(
    _ one: Side,
    with other: Side,
    field: [String],
    in write: DatedWrite
  ) throws -> (own: GlobalID, others: GlobalID) {
    guard try haveRoom(one.person, other.person, from: write.reader) else {
      throw RejectedInput(
        field,
        code: .notAllowed,
        reason: .addressBookFull,
        message: "One of the two address books is full."
      )
    }
    let keys = try KeySequence.next(2, of: .contact, in: write.transaction)
    for (key, owner, person) in [(keys[0], one, other), (keys[1], other, one)] {
      try write.transaction.run(
        insert,
        (owner: owner.person, id: key, person: person.person, sharing: owner.sharing, now: write.now)
      )
      let invitations = try write.reader.keys(
        of: ContactInvitation.deleteSent,
        (from: owner.person, to: person.person)
      )
      for invitation in invitations { write.record(.contactRequestChanged, subject: invitation, for: owner.person) }
    }
    let requests = try write.reader.keys(of: ContactRequest.deleteBetween, (one: one.person, other: other.person))
    for request in requests {
      for person in [one.person, other.person] { write.record(.contactRequestChanged, subject: request, for: person) }
    }
    return (keys[0], keys[1])
  }

  /// Deletes the contact of two people from both address books.
  static func disconnect(_ one: GlobalID, from other: GlobalID, in write: DatedWrite) throws {
    let deleted = try write.reader.all(of: deletePair, (owner: one, person: other)) { row in
      (owner: row.key(0), contact: row.key(1))
    }
    for row in deleted { write.record(.contactChanged, subject: row.contact, for: row.owner) }
  }

  /// Records that `owner` shares something else with a contact, who sees it in their own address book.
  static func recordSharing(
    of contact: GlobalID,
    with person: GlobalID,
    by owner: GlobalID,
    in write: DatedWrite
  ) throws {
    write.record(.contactChanged, subject: contact, for: owner)
    guard let other = try self.contact(of: person, with: owner, from: write.reader) else { return }
    write.record(.contactChanged, subject: other, for: person)
  }

  /// Removes a deactivated person from all address books and requests. It has no events for the others, who can be
  /// thousands.
  static func remove(_ person: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(deleteOfOthers, person)
    try transaction.run(deleteOwn, person)
    try transaction.run(ContactRequest.deleteOfPerson, person)
  }

  static func notFound(_ field: String) -> UserError {
    UserError(field: [field], code: .notFound, message: "Your address book has no contact with this id.")
  }
}
