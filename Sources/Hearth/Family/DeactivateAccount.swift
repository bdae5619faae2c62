import GraphQL
import Storage

/// `deactivateAccount`: the person's history stays, but they are not visible anywhere else.
enum DeactivateAccount {
  static let deactivate = SQL<(person: GlobalID, now: Timestamp)>(
    """
    UPDATE person SET deactivated_at = \(\.now), avatar = NULL WHERE id = \(\.person) AND deactivated_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let password = arguments["password"]?.string ?? ""
    try await context.requirePassword(password, at: ["password"], of: viewer)
    let (services, now) = (context.services, context.now)
    try await context.write { transaction in
      try leave(viewer.member, from: viewer.family, at: now, services: services, in: transaction)
    }
    context.viewer = nil
    return .done
  }

  /// Deactivates the account of a parent, and ends what depends on it.
  ///
  /// - Parameter keepsChores: whether the person stays assigned. Erasures unassign them in portions.
  static func leave(
    _ person: GlobalID,
    from family: GlobalID,
    keepsChores: Bool = false,
    at now: Int64,
    services: some SessionEnding,
    in transaction: WriteTransaction
  ) throws {
    try transaction.run(deactivate, (person: person, now: Timestamp(now)))
    try OneTimeToken.revoke(.passwordReset, of: person, in: transaction)
    try OneTimeToken.revoke(.emailVerification, of: person, in: transaction)
    try Sessions.endAll(openedBy: person, in: family, services: services, transaction: transaction)
    try ContactBook.remove(person, in: transaction)
    try Membership.removeEverywhere(person, at: now, in: transaction)
    try SearchIndex.remove(person, in: transaction)
    try FamilyDeparture.deletePendingActions(of: person, in: family, at: now, transaction: transaction)
    try FamilyInvitationRow.endClaims(of: person, at: now, in: transaction)
    let remaining = try FamilyMember.parents(of: family, from: transaction.reader)
    guard remaining.isEmpty else {
      if !keepsChores { try Assignees.unassign(person, of: family, at: now, in: transaction) }
      FamilyEvent.record(.parentLeft, subject: person, of: family, at: now, in: transaction)
      try Notifications.notify(
        remaining,
        of: family,
        kind: .parentLeftNotification,
        about: person,
        by: nil,
        at: now,
        in: transaction
      )
      return
    }
    // Without a parent, no adult is responsible for the children's sessions.
    try Sessions.endAll(ofFamily: family, services: services, in: transaction)
    try FamilyInvitation.endAll(of: family, by: person, at: now, in: transaction)
    // Chores stop repeating, because there is no parent to see them. They stay assigned: `AccountReturn` unassigns
    // this parent when another one returns first.
    try PeriodTurn.end(family, in: transaction)
    // A parent who returns first resumes with this event.
    FamilyEvent.record(.parentLeft, subject: person, of: family, at: now, in: transaction)
  }
}
