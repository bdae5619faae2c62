import Storage

/// Groups as they are written, and who may.
enum GroupRow {
  static let insert = SQL(
    """
    INSERT INTO person_group \
    (id, name, name_key, description, hometown, sharing, created_by, created_at, picture, access) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """
  )
  static let standing = SQL(
    """
    SELECT g.access, m.role FROM person_group AS g \
    LEFT JOIN group_member AS m ON m.group_id = g.id AND m.person_id = ?2 WHERE g.id = ?1
    """
  )
  static let delete = SQL("DELETE FROM person_group WHERE id = ?1")
  static let end = SQL("INSERT INTO ended_group (id) VALUES (?1)")

  struct Content: Sendable {
    let name: String
    let description: String?
    let hometown: String?
    let sharing: Scopes
    var picture = PictureChange.unchanged
    var access = GroupAccess.open
  }

  /// What a person is to a group that they can see.
  struct Standing: Sendable {
    let access: GroupAccess
    let role: GroupRole?
  }

  /// A new group, with no one in it yet, and not yet found by a search.
  static func insert(_ content: Content, by person: GlobalID, at now: Int64, _ transaction: WriteTransaction) throws
    -> GlobalID
  {
    let key = try KeySequence.next(.group, transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, key.rawValue)
    try statement.bind(2, content.name)
    try statement.bind(3, NameOrder.key(of: content.name))
    try statement.bind(4, content.description)
    try statement.bind(5, content.hometown)
    try statement.bind(6, content.sharing.bits)
    try statement.bind(7, person.rawValue)
    try statement.bind(8, now)
    try statement.bind(9, try content.picture.number(transaction))
    try statement.bind(10, content.access.stored)
    try statement.run()
    return key
  }

  /// Takes a group away. It is gone at once for everybody; its memberships, which nothing leads to any more, are swept
  /// away little by little (`Membership.sweep`).
  static func delete(_ group: GlobalID, _ transaction: WriteTransaction) throws {
    try transaction.run(delete, group.rawValue)
    try transaction.run(end, group.rawValue)
    try SearchIndex.remove(group, transaction)
  }

  /// Why `person` may not do what the group's admins may; nil if they may.
  static func refusal(
    of group: GlobalID?,
    toAdmin person: GlobalID,
    _ field: [String],
    _ transaction: WriteTransaction
  ) throws -> UserError? {
    guard let group, let standing = try standing(of: person, in: group, transaction) else { return notFound(field) }
    if standing.role == .admin { return nil }
    return UserError(field: field, code: .notAllowed, message: "Only an admin of the group may do this.")
  }

  /// Nil if there is no such group, or none that `person` can see: a group by invitation is visible only to its members
  /// and to the people it has invited (`GroupType.byKey`).
  static func standing(of person: GlobalID, in group: GlobalID, _ transaction: WriteTransaction) throws -> Standing? {
    let finding = try transaction.statement(standing)
    try finding.bind(1, group.rawValue)
    try finding.bind(2, person.rawValue)
    let found = try finding.first { row in
      Standing(
        access: GroupAccess(stored: row.int64(0)) ?? .byInvitation,
        role: row.optionalInt64(1).flatMap(GroupRole.init(stored:))
      )
    }
    guard let found, found.access != .byInvitation || found.role != nil else { return nil }
    return found
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "There is no group of this id.")
  }
}
