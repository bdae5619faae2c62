import GraphQLTransport
import Storage

/// A parent leaves a family in which another parent stays, or is removed from it.
///
/// The children and all other data stay with the family. The person gets a new, empty family and keeps their account,
/// contacts and groups.
enum FamilyDeparture {
  static let names = SQL<(person: GlobalID, family: GlobalID)>(
    """
    SELECT p.first_name, p.last_name, f.time_zone FROM person AS p \
    \(join: .asWritten) family AS f ON f.id = p.family_id \
    WHERE p.id = \(\.person) AND p.family_id = \(\.family)
    """
  )
  static let move = SQL<(person: GlobalID, family: GlobalID)>(
    """
    UPDATE person SET family_id = \(\.family), \
    family_since = (SELECT position FROM family_feed WHERE family_id = \(\.family)), invited_by = NULL, \
    joined_family_at = NULL WHERE id = \(\.person)
    """
  )

  /// Returns the person's new family; nil if they are not in the family any more.
  static func depart(_ person: GlobalID, unassignments: Scheduler, in write: FamilyWrite) throws -> GlobalID? {
    let found = try write.reader.first(of: names, (person: person, family: write.family)) { row in
      (name: row.optionalString(1) ?? row.string(0), timeZone: row.string(2))
    }
    guard let found else { return nil }
    let new = try KeySequence.next(.family, in: write.transaction)
    try Family.insert(new, name: Family.usualName(ofParent: found.name), timeZone: found.timeZone, in: write.dated)
    try Unassignment.begin(of: person, unassignments: unassignments, in: write)
    let former = FormerParent(family: write.family, person: person, leftAt: write.now)
    try write.transaction.run(FormerParent.record, former)
    write.record(.parentLeft, subject: person)
    try deletePendingActions(of: person, in: write)
    // This must come last, so that `family_since` is after all events of the old family.
    try FeedCounter.raise(new, above: write.family, in: write.transaction)
    try write.transaction.run(move, (person: person, family: new))
    try FamilyMember.moveSessions(of: person, to: new, in: write.transaction)
    // The person's own sessions have moved, so this ends those of children.
    try Sessions.end(openedBy: person, in: write.family, transaction: write.transaction)
    return new
  }

  /// Ends what a former parent has begun in the family: their invitations, sign-in codes of the children, and an open
  /// removal that they requested or that concerns them.
  static func deletePendingActions(of person: GlobalID, in write: FamilyWrite) throws {
    let invitations = try FamilyInvitation.endAll(sentBy: person, in: write)
    try write.transaction.run(ParentRemovalRow.deleteOfPerson, (family: write.family, person: person))
    let removals = write.transaction.changedRows
    try Sessions.revokeCodes(issuedBy: person, in: write.family, transaction: write.transaction)
    guard invitations + removals > 0 else { return }
    write.record(.familyChanged)
  }
}
