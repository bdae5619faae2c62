import GraphQL
import Storage

/// `inviteParent`, `cancelFamilyInvitation`, `acceptFamilyInvitation` and `confirmFamilyInvitation`.
///
/// An invitation is for the account that has verified the invited address. Any other account that uses the token must
/// wait for a parent of the family to confirm it, and sees nothing of the family before.
enum FamilyInvitation {
  static let isParent = SQL<(emailKey: String, family: GlobalID)>(
    """
    SELECT 1 FROM account AS a JOIN person AS p ON p.id = a.id \
    WHERE a.email_key = \(\.emailKey) AND p.family_id = \(\.family) AND p.deactivated_at IS NULL
    """
  )
  static let verifiedAddress = SQL<GlobalID>(
    "SELECT email_key FROM account WHERE id = \(\.self) AND email_verified = 1"
  )

  // MARK: Inviting

  static let invite = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    guard let address = form.emailAddress("email") else { return Payload(errors: form.errors) }
    guard try await !context.read({ reader in try isParent(address, of: viewer.family, from: reader) }) else {
      throw isParentAlready
    }
    let (services, now) = (context.services, context.now)
    try await InvitationLimits.take(of: viewer, in: context)
    try await context.take(.invitationMail, by: .mailbox(address.mailboxKey))
    let lane = MailLane(network: context.client, sender: .person(viewer.member))
    let invitation = try await context.write { transaction in
      try InvitationLimits.requireRoom(for: viewer.member, in: transaction)
      guard try !isParent(address, of: viewer.family, from: transaction.reader) else { throw isParentAlready }
      try ParentRemovalRow.requireNone(in: viewer.family, field: ["email"], transaction: transaction)
      // A new invitation replaces the earlier one to the same address.
      if let earlier = try FamilyInvitationRow.invitation(to: address, of: viewer.family, in: transaction) {
        try end(earlier, by: viewer.member, at: now, in: transaction)
      }
      let count = try FamilyInvitationRow.count(of: viewer.family, at: now, in: transaction)
      guard count < FamilyInvitationRow.maximumOfFamily else {
        let message: UserError.Message =
          "Your family has \(maximum: FamilyInvitationRow.maximumOfFamily) open invitations: cancel some first."
        throw RejectedInput(["email"], code: .notAllowed, message: message)
      }
      let key = try FamilyInvitationRow.insert(
        of: viewer.family,
        to: address,
        by: viewer.member,
        at: now,
        in: transaction
      )
      FamilyEvent.record(.familyChanged, subject: viewer.family, of: viewer.family, at: now, in: transaction)
      try services.mail.append(
        .familyInvitation,
        person: viewer.member,
        address: address,
        subject: key,
        in: lane,
        at: now,
        transaction: transaction
      )
      return key
    }
    return Payload(["family": [viewer.family], "invitation": [invitation]])
  }

  private static var isParentAlready: RejectedInput {
    RejectedInput(["email"], code: .taken, message: "A parent of your family has this address already.")
  }

  private static func isParent(_ address: EmailAddress, of family: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(isParent, (emailKey: address.key, family: family))
  }

  /// A parent of the family ends the invitation, which rejects the person who waits for confirmation. The waiting
  /// person withdraws their acceptance, and the invitation stays open.
  static let cancel = FieldBinding.mutation(.single("invitationId")) { arguments, context in
    let viewer = try context.requireParent()
    let field = ["input", "invitationId"]
    let key = context.cipher.key(of: arguments["input"]?["invitationId"]?.string ?? "")
    let now = context.now
    let cancelled = try await context.write { transaction in
      guard let found = try FamilyInvitationRow.find(key, in: transaction), found.expiresAt > now else {
        throw RejectedInput([FamilyInvitationRow.notFound(field)])
      }
      if found.family == viewer.family {
        try end(found.key, by: viewer.member, at: now, in: transaction)
      } else if found.claimant == viewer.member {
        try FamilyInvitationRow.endClaim(of: viewer.member, on: found.key, in: transaction)
      } else {
        throw RejectedInput([FamilyInvitationRow.notFound(field)])
      }
      FamilyEvent.record(.familyChanged, subject: found.family, of: found.family, at: now, in: transaction)
      return found.key
    }
    return Payload(removed: cancelled)
  }

  /// Deletes an invitation, and notifies the person who waits for confirmation.
  private static func end(
    _ key: GlobalID,
    by parent: GlobalID,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    let claimant = try FamilyInvitationRow.find(key, in: transaction)?.claimant
    try FamilyInvitationRow.delete(key, in: transaction)
    guard let claimant else { return }
    try Notifications.notify(
      claimant,
      kind: .familyInvitationRejectedNotification,
      by: parent,
      at: now,
      in: transaction
    )
  }

  // MARK: Accepting

  private enum Acceptance: Sendable {
    case joined(GlobalID)
    case waiting(GlobalID)
  }

  static let accept = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let token = arguments["token"]?.string ?? ""
    let (services, now) = (context.services, context.now)
    let acceptance = try await context.write { transaction in
      try redeem(token, for: viewer, at: now, services: services, in: transaction)
    }
    switch acceptance {
    case .joined(let family):
      context.viewer = Viewer(session: viewer.session, member: viewer.member, family: family)
      return Payload(["family": [family]])
    case .waiting(let invitation): return Payload(["invitation": [invitation]])
    }
  }

  private static func redeem(
    _ token: String,
    for viewer: Viewer,
    at now: Int64,
    services: Services,
    in transaction: WriteTransaction
  ) throws -> Acceptance {
    let grant = try OneTimeToken.grant(for: token, as: .familyInvitation, at: now, from: transaction.reader)
    // The token is older than the table of invitations, so its subject is the family.
    let isOld = grant.subject.kind == .family
    let known = try isOld ? nil : FamilyInvitationRow.find(grant.subject, in: transaction)
    guard let family = isOld ? grant.subject : known?.family else {
      throw RejectedInput(["token"], code: .notFound, message: "The token was used already, or does not exist.")
    }
    if family == viewer.family { return .joined(family) }
    try FamilyMember.requireAlone(viewer.member, in: viewer.family, ["token"], isViewer: true, transaction: transaction)
    try ParentRemovalRow.requireNone(in: family, field: ["token"], transaction: transaction)
    let address = try transaction.reader.first(of: verifiedAddress, viewer.member) { row in row.string(0) }
    if let known, let address, address == known.emailKey {
      try join(
        viewer.member,
        from: viewer.family,
        invitation: known,
        confirmedBy: nil,
        at: now,
        services: services,
        in: transaction
      )
      return .joined(family)
    }
    if let known, known.claimant == viewer.member { return .waiting(known.key) }
    guard known?.claimant == nil else {
      throw RejectedInput(
        ["token"],
        code: .conflict,
        message: "Another person has used this invitation and waits for confirmation."
      )
    }
    let key: GlobalID
    if let known {
      key = known.key
    } else {
      key = try FamilyInvitationRow.insert(of: family, to: nil, by: nil, at: now, in: transaction)
      // Afterwards the invitation is like any other, and the token can be used again until it ends.
      try OneTimeToken.transfer(token, to: key, in: transaction)
    }
    try FamilyInvitationRow.claim(key, by: viewer.member, at: now, in: transaction)
    FamilyEvent.record(.familyChanged, subject: family, of: family, at: now, in: transaction)
    for parent in try Notifications.parents(of: family, in: transaction) {
      try Notifications.notify(
        parent,
        of: family,
        kind: .familyInvitationClaimedNotification,
        about: key,
        by: viewer.member,
        at: now,
        in: transaction
      )
    }
    return .waiting(key)
  }

  /// `confirmFamilyInvitation`: the input names the person, so that a parent confirms exactly the person that they were
  /// shown.
  static let confirm = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let input = arguments["input"]
    let cipher = context.cipher
    let key = cipher.key(of: input?["invitationId"]?.string ?? "")
    let person = cipher.person(of: input?["personId"]?.string ?? "")
    let (services, now) = (context.services, context.now)
    try await context.write { transaction in
      let field = ["input", "invitationId"]
      guard let found = try FamilyInvitationRow.find(key, in: transaction), found.family == viewer.family,
        found.expiresAt > now
      else { throw RejectedInput([FamilyInvitationRow.notFound(field)]) }
      guard let claimant = found.claimant, claimant == person else {
        throw RejectedInput(
          ["input", "personId"],
          code: .notFound,
          message: "This person is not waiting for confirmation."
        )
      }
      try ParentRemovalRow.requireNone(in: viewer.family, field: field, transaction: transaction)
      guard let old = try FamilyMember.family(of: claimant, in: transaction) else {
        throw RejectedInput(
          ["input", "personId"],
          code: .notFound,
          message: "This person is not waiting for confirmation."
        )
      }
      try FamilyMember.requireAlone(
        claimant,
        in: old,
        ["input", "personId"],
        isViewer: false,
        transaction: transaction
      )
      try join(
        claimant,
        from: old,
        invitation: found,
        confirmedBy: viewer.member,
        at: now,
        services: services,
        in: transaction
      )
    }
    return Payload(["family": [viewer.family]])
  }

  /// Moves a person who is the only member of their family, with everything that the family has.
  private static func join(
    _ person: GlobalID,
    from old: GlobalID,
    invitation: FamilyInvitationRow.Found,
    confirmedBy parent: GlobalID?,
    at now: Int64,
    services: Services,
    in transaction: WriteTransaction
  ) throws {
    let family = invitation.family
    let parents = try Notifications.parents(of: family, in: transaction)
    try FamilyMerge.move(old, into: family, at: now, services: services, in: transaction)
    try FamilyMember.noteJoining(person, invitedBy: parent ?? invitation.inviter, at: now, in: transaction)
    try FamilyMember.moveSessions(
      of: person,
      to: family,
      endedSessions: services.endedSessions,
      clock: services.clock,
      in: transaction
    )
    try FamilyInvitationRow.delete(invitation.key, in: transaction)
    try FamilyInvitationRow.endClaims(of: person, at: now, in: transaction)
    FamilyEvent.record(.parentJoined, subject: person, of: family, at: now, in: transaction)
    FamilyEvent.record(.familyChanged, subject: family, of: family, at: now, in: transaction)
    // The person is notified only if they had to wait.
    let recipients = parents + (parent == nil ? [] : [person])
    for recipient in recipients where recipient != parent {
      try Notifications.notify(
        recipient,
        of: family,
        kind: .parentJoinedNotification,
        about: person,
        by: person,
        at: now,
        in: transaction
      )
    }
  }
}
