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
    if let error = try await ChangePassword.passwordError(
      of: password,
      field: "password",
      person: viewer.member,
      context
    ) {
      return Payload(errors: [error])
    }
    let (services, now) = (context.services, context.now)
    try await context.write { transaction in try leave(viewer, at: now, services, transaction) }
    context.viewer = nil
    return .done
  }

  private static func leave(
    _ viewer: Viewer,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(deactivate, (person: viewer.member, now: Timestamp(now)))
    try OneTimeToken.revoke(.passwordReset, of: viewer.member, transaction)
    try OneTimeToken.revoke(.emailVerification, of: viewer.member, transaction)
    try Sessions.endAll(openedBy: viewer.member, in: viewer.family, services, transaction)
    try ContactBook.remove(viewer.member, transaction)
    try Membership.removeEverywhere(viewer.member, transaction)
    try SearchIndex.remove(viewer.member, transaction)
    try FamilyDeparture.deletePendingActions(of: viewer.member, in: viewer.family, transaction)
    try FamilyInvitationRow.endClaims(of: viewer.member, transaction)
    let remaining = try Notifications.parents(of: viewer.family, transaction)
    guard remaining.isEmpty else {
      try FamilyEvent.record(.parentLeft, viewer.member, of: viewer.family, at: now, transaction)
      for parent in remaining {
        try Notifications.notify(parent, .parentLeftNotification, of: viewer.member, by: nil, at: now, transaction)
      }
      return
    }
    // Without a parent, nobody is responsible for the children's sessions.
    try Sessions.endAll(ofFamily: viewer.family, services, transaction)
    try FamilyInvitationRow.deleteAll(of: viewer.family, transaction)
    // Chores stop repeating, because nobody would see them.
    try PeriodTurn.end(viewer.family, transaction)
  }
}
