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
    let unassignments = context.services.unassignments
    try await context.write(as: viewer) { write in
      try leave(viewer.member, unassignments: unassignments, in: write)
    }
    context.signOut()
    return .done
  }

  /// Deactivates the account of a parent, and ends what depends on it.
  static func leave(_ person: GlobalID, unassignments: Scheduler, in write: FamilyWrite) throws {
    try write.transaction.run(deactivate, (person: person, now: write.now))
    try OneTimeToken.revoke(.passwordReset, of: person, in: write.transaction)
    try OneTimeToken.revoke(.emailVerification, of: person, in: write.transaction)
    try Sessions.endAll(openedBy: person, in: write.family, transaction: write.transaction)
    try ContactBook.remove(person, in: write.transaction)
    try Membership.removeEverywhere(person, in: write.dated)
    try SearchIndex.remove(person, in: write.transaction)
    try FamilyDeparture.deletePendingActions(of: person, in: write)
    try FamilyInvitationRow.endClaims(of: person, in: write.dated)
    let remaining = try FamilyMember.parents(of: write.family, from: write.reader)
    guard remaining.isEmpty else {
      try Unassignment.begin(of: person, unassignments: unassignments, in: write)
      write.record(.parentLeft, subject: person)
      try write.notify(remaining, kind: .parentLeftNotification, about: person, by: nil)
      return
    }
    // Without a parent, no adult is responsible for the children's sessions.
    try Sessions.endAll(ofFamily: write.family, in: write.transaction)
    try FamilyInvitation.endAll(by: person, in: write)
    // Chores stop repeating, because there is no parent to see them. They stay assigned: `AccountReturn` unassigns
    // this parent when another one returns first.
    try PeriodTurn.end(in: write)
    // A parent who returns first resumes with this event.
    write.record(.parentLeft, subject: person)
  }
}
