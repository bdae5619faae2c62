import GraphQL
import Storage

/// `inviteParent`, `cancelFamilyInvitation`, `acceptFamilyInvitation` and `confirmFamilyInvitation`.
///
/// An invitation is for the account that has verified the invited address. Any other account that uses the token must
/// wait for a parent of the family to confirm it, and sees nothing of the family before.
enum FamilyInvitation {
  /// A parent who hides the address is not found by others, who would learn whose it is.
  static let isParent = SQL<(emailKey: String, family: GlobalID, viewer: GlobalID)>(
    """
    SELECT 1 FROM account AS a JOIN person AS p ON p.id = a.id \
    WHERE a.email_key = \(\.emailKey) AND p.family_id = \(\.family) AND p.deactivated_at IS NULL \
    AND (a.hides_email = 0 OR a.id = \(\.viewer))
    """
  )
  static let verifiedAddress = SQL<GlobalID>(
    "SELECT email_key FROM account WHERE id = \(\.self) AND email_verified = 1"
  )

  static let invite = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    guard let address = form.emailAddress("email") else { return Payload(errors: form.errors) }
    guard try await !context.read({ reader in try isParent(address, seenBy: viewer, from: reader) }) else {
      throw isParentAlready
    }
    let services = context.services
    try await InvitationLimits.take(of: viewer, in: context)
    try await context.take(.invitationMail, by: .mailbox(address.mailboxKey))
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    let invitation = try await context.write(as: viewer) { write in
      try InvitationLimits.requireRoom(for: viewer.member, from: write.reader)
      guard try !isParent(address, seenBy: viewer, from: write.reader) else { throw isParentAlready }
      try ParentRemovalRow.requireNone(of: write.family, field: ["email"], from: write.reader)
      // A new invitation replaces the earlier one to the same address.
      if let earlier = try FamilyInvitationRow.invitation(to: address, of: write.family, from: write.reader) {
        try end(earlier, by: viewer.member, in: write.dated)
      }
      let count = try FamilyInvitationRow.count(of: write.family, at: write.now, from: write.reader)
      guard count < FamilyInvitationRow.maximumOfFamily else {
        let message: UserError.Message =
          "Your family has \(maximum: FamilyInvitationRow.maximumOfFamily) open invitations: cancel some first."
        throw RejectedInput(["email"], code: .notAllowed, message: message)
      }
      let key = try FamilyInvitationRow.insert(to: address, by: viewer.member, in: write)
      write.record(.familyChanged)
      try services.mail.append(
        .familyInvitation,
        person: viewer.member,
        address: address,
        subject: key,
        lane: lane,
        in: write.dated
      )
      return key
    }
    return Payload(["family": [viewer.family], "invitation": [invitation]])
  }

  private static var isParentAlready: RejectedInput {
    RejectedInput(["email"], code: .taken, message: "A parent of your family has this address already.")
  }

  private static func isParent(_ address: EmailAddress, seenBy viewer: Viewer, from reader: Reader) throws -> Bool {
    try reader.hasRow(isParent, (emailKey: address.key, family: viewer.family, viewer: viewer.member))
  }

  /// A parent of the family ends the invitation, which rejects the person who waits for confirmation. The waiting
  /// person withdraws their acceptance, and the invitation stays open.
  static let cancel = FieldBinding.mutation(.single("invitationId")) { arguments, context in
    let viewer = try context.requireParent()
    let field = ["input", "invitationId"]
    let key = context.cipher.key(of: arguments["input"]?["invitationId"])
    let cancelled = try await context.write { write in
      guard let found = try FamilyInvitationRow.find(key, from: write.reader), found.expiresAt > write.now else {
        throw RejectedInput([FamilyInvitationRow.notFound(field)])
      }
      if found.family == viewer.family {
        try end(found.key, by: viewer.member, in: write)
      } else if found.claimant == viewer.member {
        try FamilyInvitationRow.endClaim(of: viewer.member, on: found.key, in: write.transaction)
      } else {
        throw RejectedInput([FamilyInvitationRow.notFound(field)])
      }
      write.inFamily(found.family).record(.familyChanged)
      return found.key
    }
    return Payload(removed: cancelled)
  }
}
