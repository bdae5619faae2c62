import Storage

/// The return of a deactivated account, within thirty days: `signIn`, `signInWithIdentity` and `resetPassword` with
/// `reactivate`. An account that was deleted is erased after this period. Operators can reactivate an account at any
/// time before it is erased.
enum AccountReturn {
  /// In milliseconds.
  static let period: Int64 = 30 * Milliseconds.day

  static let reactivate = SQL<(person: GlobalID, now: Timestamp, since: Timestamp)>(
    """
    UPDATE person SET joined_family_at = joined_family_at + (\(\.now) - deactivated_at), deactivated_at = NULL, \
    erase_at = NULL WHERE id = \(\.person) AND erased_at IS NULL AND deactivated_at > \(\.since) \
    AND (erase_at IS NULL OR erase_at > \(\.now))
    """
  )

  static let reactivateByOperator = SQL<(person: GlobalID, now: Timestamp)>(
    """
    UPDATE person SET joined_family_at = joined_family_at + (\(\.now) - deactivated_at), deactivated_at = NULL, \
    erase_at = NULL WHERE id = \(\.person) AND deactivated_at IS NOT NULL AND erased_at IS NULL
    """
  )

  static let deactivatedAt = SQL<GlobalID>(
    "SELECT deactivated_at FROM person WHERE id = \(\.self) AND deactivated_at IS NOT NULL"
  )

  /// The deactivated people of a family who can return.
  static let returnable = SQL<GlobalID>(
    """
    SELECT id FROM person WHERE family_id = \(\.self) AND deactivated_at IS NOT NULL AND erased_at IS NULL\(order: "id")
    """
  )

  /// Makes a deactivated person a parent of their family again. Returns false if the period is over, which concerns
  /// only people who return themselves: operators can reactivate an account until it is erased. Contacts, groups and
  /// the picture, which the deactivation has deleted, do not return.
  ///
  /// - Parameter actor: nil if an operator reactivates the account.
  static func reactivate(
    _ person: GlobalID,
    by actor: GlobalID?,
    services: Services,
    in write: DatedWrite
  ) throws -> Bool {
    if actor == nil {
      try write.transaction.run(reactivateByOperator, (person: person, now: write.now))
    } else {
      let parameters = (person: person, now: write.now, since: write.now - period)
      try write.transaction.run(reactivate, parameters)
    }
    guard write.transaction.changedRows > 0 else { return false }
    return try rejoinFamily(person, by: actor, services: services, in: write)
  }

  /// Makes a person whose row is active again a parent of their family. Returns false if there is no such family.
  private static func rejoinFamily(
    _ person: GlobalID,
    by actor: GlobalID?,
    services: Services,
    in write: DatedWrite
  ) throws -> Bool {
    guard let family = try FamilyMember.family(of: person, from: write.reader) else { return false }
    try SearchIndex.update(person, in: write.transaction)
    // Those that were sent in the meantime.
    try ContactInvitation.deliver(to: person, in: write)
    let write = write.inFamily(family)
    try Unassignment.end(of: person, in: write)
    write.record(.parentJoined, subject: person)
    let others = try FamilyMember.parents(of: family, from: write.reader).filter { $0 != person }
    try write.notify(others, kind: .parentJoinedNotification, about: person, by: actor)
    guard others.isEmpty else { return true }
    // The last parent who left has kept their chores.
    for former in try write.reader.keys(of: returnable, family) {
      try Unassignment.begin(of: former, unassignments: services.unassignments, in: write)
    }
    // Chores stopped repeating when the last parent left. The next turn finds those that repeat.
    if try PeriodTurn.resume(in: write) {
      write.transaction.afterCommit { services.turns.schedule(at: 0) }
    }
    return true
  }

  /// The error of a sign-in to a deactivated account, or of a new password for it.
  static func error(deactivatedAt moment: Int64?, at now: Int64, field: [String] = ["input"]) -> UserError {
    guard let moment, moment + period > now else {
      return UserError(field: field, code: .deactivated, message: "This account was deactivated.")
    }
    let day = WallClock("UTC").day(at: moment + period).text
    let message: UserError.Message =
      """
      This account was deactivated. Set `reactivate` to use it again, until \(day, as: "reactivatableUntil") (UTC).
      """
    return UserError(field: field, code: .deactivated, reason: .reactivatable, message: message)
  }
}
