import GraphQLTransport
import Storage

/// Who belongs to a family: its parents who are active, and its children who were not removed.
enum FamilyMember {
  typealias Parameters = (family: GlobalID, member: GlobalID)

  static let exists = SQL<Parameters>(
    """
    SELECT 1 WHERE EXISTS (\
    SELECT 1 FROM child WHERE family_id = \(\.family) AND id = \(\.member) AND removed_at IS NULL) \
    OR EXISTS (\
    SELECT 1 FROM person WHERE id = \(\.member) AND family_id = \(\.family) AND deactivated_at IS NULL)
    """
  )

  static func exists(_ member: GlobalID, in family: GlobalID, _ reader: Reader) throws -> Bool {
    try reader.hasRow(exists, (family: family, member: member))
  }

  static let family = SQL("SELECT family_id FROM person WHERE id = ?1 AND deactivated_at IS NULL")
  static let hasChild = SQL("SELECT 1 FROM child WHERE family_id = ?1 AND removed_at IS NULL")
  static let hasParent = SQL("SELECT 1 FROM person WHERE family_id = ?1 AND deactivated_at IS NULL")
  static let hasOtherParent = SQL(
    "SELECT 1 FROM person WHERE family_id = ?1 AND id <> ?2 AND deactivated_at IS NULL"
  )
  static let noteJoining = SQL("UPDATE person SET invited_by = ?2, joined_family_at = ?3 WHERE id = ?1")
  static let moveSessions = SQL("UPDATE session SET family_id = ?2 WHERE member_id = ?1 RETURNING id")

  static func family(of person: GlobalID, _ transaction: WriteTransaction) throws -> GlobalID? {
    let statement = try transaction.statement(family)
    try statement.bind(1, person.rawValue)
    return try statement.first { row in GlobalID(rawValue: row.int64(0)) }
  }

  static func hasChild(in family: GlobalID, _ transaction: WriteTransaction) throws -> Bool {
    let statement = try transaction.statement(hasChild)
    try statement.bind(1, family.rawValue)
    return try statement.first { _ in true } ?? false
  }

  static func hasParent(
    in family: GlobalID,
    besides person: GlobalID,
    _ transaction: WriteTransaction
  ) throws -> Bool {
    let statement = try transaction.statement(hasOtherParent)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, person.rawValue)
    return try statement.first { _ in true } ?? false
  }

  /// Throws if `person` is not alone in their family, and so cannot move to another with all that it has.
  static func requireAlone(
    _ person: GlobalID,
    in family: GlobalID,
    _ field: [String],
    isViewer: Bool,
    _ transaction: WriteTransaction
  ) throws {
    let (whose, who) = isViewer ? ("Your own", "you") : ("Their own", "they")
    guard try !hasChild(in: family, transaction) else {
      throw Refused(field, .conflict, "\(whose) family has children, so \(who) cannot move to another.")
    }
    guard try !hasParent(in: family, besides: person, transaction) else {
      throw Refused(field, .conflict, "\(whose) family has another parent, so \(who) cannot move to another.")
    }
  }

  static func noteJoining(
    _ person: GlobalID,
    invitedBy inviter: GlobalID?,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(noteJoining)
    try statement.bind(1, person.rawValue)
    try statement.bind(2, inviter?.rawValue)
    try statement.bind(3, now)
    try statement.run()
  }

  /// Sessions go on in the new family. Every loop looks their rights up again before it answers another request.
  static func moveSessions(
    of person: GlobalID,
    to family: GlobalID,
    _ endedSessions: EndedSessions,
    _ clock: Clock,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(moveSessions)
    try statement.bind(1, person.rawValue)
    try statement.bind(2, family.rawValue)
    var keys: [GlobalID] = []
    try statement.forEachRow { row in keys.append(GlobalID(rawValue: row.int64(0))) }
    let moved = keys
    transaction.afterCommit { endedSessions.append(moved, .rightsChanged, at: clock.now()) }
  }
}
