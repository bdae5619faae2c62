import GraphQLTransport
import Storage

/// A parent leaves a family in which another parent stays, or is removed from it.
///
/// The children, and everything else of the family, stay. The person gets a new, empty family of their own and keeps
/// their account, their contacts and their groups.
struct FamilyDeparture: Sendable {
  static let names = SQL(
    """
    SELECT p.first_name, p.last_name, f.time_zone FROM person AS p CROSS JOIN family AS f ON f.id = p.family_id \
    WHERE p.id = ?1 AND p.family_id = ?2
    """
  )
  static let move = SQL(
    """
    UPDATE person SET family_id = ?2, family_since = (SELECT next - 1 FROM sequence), invited_by = NULL, \
    joined_family_at = NULL WHERE id = ?1
    """
  )
  static let insertFormerParent = SQL(
    """
    INSERT INTO former_parent (family_id, person_id, left_at) VALUES (?1, ?2, ?3) \
    ON CONFLICT (family_id, person_id) DO UPDATE SET left_at = ?3
    """
  )

  let endedSessions: EndedSessions
  let clock: Clock

  /// Gives the person's new family; nil if they are not in `family` any more.
  func depart(
    _ person: GlobalID,
    from family: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> GlobalID? {
    let reading = try transaction.statement(Self.names)
    try reading.bind(1, person.rawValue)
    try reading.bind(2, family.rawValue)
    let found = try reading.first { row in
      (name: row.optionalString(1) ?? row.string(0), timeZone: row.string(2))
    }
    guard let found else { return nil }
    let new = try KeySequence.next(.family, transaction)
    try Registration.insertFamily(new, name: found.name, timeZone: found.timeZone, at: now, transaction)
    try RemoveChild.unassign(person, of: family, at: now, transaction)
    try transaction.run(Self.insertFormerParent, family.rawValue, person.rawValue, now)
    try FamilyEvent.record(.parentLeft, person, of: family, at: now, transaction)
    // Last, so that its position is behind all events of the old family.
    try transaction.run(Self.move, person.rawValue, new.rawValue)
    try Self.endPowers(of: person, in: family, transaction)
    try FamilyMember.moveSessions(of: person, to: new, endedSessions, clock, transaction)
    try endChildSessions(openedBy: person, in: family, transaction)
    return new
  }

  /// Ends what a person who was a parent of the family has begun in it: their invitations, sign-in codes of the
  /// children, and an open removal that they requested or that is of them.
  static func endPowers(of person: GlobalID, in family: GlobalID, _ transaction: WriteTransaction) throws {
    try FamilyInvitationRow.deleteAll(by: person, of: family, transaction)
    try transaction.run(ParentRemovalRow.deleteOfPerson, family.rawValue, person.rawValue)
    let purpose = OneTimeToken.Purpose.signInCode
    try transaction.run(Sessions.revokeCodes, family.rawValue, purpose.rawValue, person.rawValue)
  }

  /// Ends the children's sessions that were opened by `person`, or whose opener is not recorded.
  private func endChildSessions(
    openedBy person: GlobalID,
    in family: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(Sessions.deleteOpened)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, person.rawValue)
    try statement.bind(3, 0 as Int64)
    var ended: [GlobalID] = []
    try statement.forEachRow { row in ended.append(GlobalID(rawValue: row.int64(0))) }
    let sessions = ended
    transaction.afterCommit { self.endedSessions.append(sessions, at: self.clock.now()) }
  }
}

extension Services {
  var departure: FamilyDeparture { FamilyDeparture(endedSessions: endedSessions, clock: clock) }
}
