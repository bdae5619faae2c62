import GraphQL
import Storage

/// `inviteContact`, and the conversion of invitations to requests once their address belongs to an account.
///
/// An invitation is delivered only to an account that has verified the address. Registering with another person's
/// address therefore does not reveal the invitations sent to it. It is never delivered to an account that hides the
/// address, whether the invitation or the account is older: the request, its rejection and the relation to the person
/// would each reveal to the sender whose address it is.
enum ContactInvitation {
  /// The viewer's own address is found even if it is not verified. Addresses that their owners hide are not found.
  static let ownerOfAddress = SQL<(address: String, viewer: GlobalID)>(
    """
    SELECT a.id FROM account AS a \(join: .asWritten) person AS p ON p.id = a.id WHERE a.email_key = \(\.address) \
    AND (a.email_verified = 1 AND a.hides_email = 0 OR a.id = \(\.viewer)) AND p.deactivated_at IS NULL
    """
  )
  static let waiting = SQL<GlobalID>(
    """
    SELECT r.id, r.from_id, r.offered FROM account AS a \
    \(join: .asWritten) contact_request AS r ON r.invited_key = a.email_key AND r.to_id IS NULL \
    WHERE a.id = \(\.self) AND a.email_verified = 1 AND a.hides_email = 0\(order: "r.from_id")
    """
  )
  static let claim = SQL<(request: GlobalID, person: GlobalID)>(
    "UPDATE contact_request SET to_id = \(\.person) WHERE id = \(\.request)"
  )
  /// Whether a mail with the invitation was queued, also one that was sent, was dropped, or has failed. Such mails are
  /// deleted after 30 days.
  static let hasMail = SQL<GlobalID>(
    """
    SELECT 1 FROM mail \(index: "mail_contact_invitations") \
    WHERE kind = \(MailKind.contactInvitation) AND subject_id = \(\.self)
    """
  )
  /// Does not delete an invitation to an address that is hidden or not verified, which would reveal whose it is.
  static let deleteSent = SQL<(from: GlobalID, to: GlobalID)>(
    """
    DELETE FROM contact_request WHERE from_id = \(\.from) AND to_id IS NULL AND invited_key = (\
    SELECT a.email_key FROM account AS a \
    WHERE a.id = \(\.to) AND a.email_verified = 1 AND a.hides_email = 0) RETURNING id
    """
  )

  private static let form = ArgumentForm.input(required: ["email", "offer"], renamed: ["sharing": "offer"])

  static let invite = FieldBinding.mutation(form) { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    let address = form.emailAddress("email")
    let request = ContactRequest.NewRequest(
      from: viewer.member,
      offered: Scopes(form["offer"]),
      requested: Scopes(bits: 0),
      message: form.lines("message", subject: "A message")
    )
    guard form.errors.isEmpty, let address else { return Payload(errors: form.errors) }
    let services = context.services
    try await InvitationLimits.take(of: viewer, in: context)
    let mailbox = RateLimits.Caller(network: context.client, subject: .mailbox(address.mailboxKey))
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    let limits = services.rateLimits
    return try await context.write { write in
      let owner = try write.reader.first(of: ownerOfAddress, (address: address.key, viewer: viewer.member)) {
        row in row.key(0)
      }
      if let owner {
        guard owner != viewer.member else {
          throw RejectedInput(
            ["email"],
            code: .notAllowed,
            reason: .isViewer,
            message: "This address is your own."
          )
        }
        return try RequestContact.send(request, to: owner, field: ["email"], limits, in: write)
      }
      let known = try ContactRequest.invitation(from: viewer.member, to: address, from: write.reader)
      if let known, try write.reader.hasRow(hasMail, known) {
        return Payload(["contactRequest": [known]])
      }
      let key =
        try known
        ?? ContactRequest.insert(request, to: nil, address: address, field: ["email"], in: write)
      // If the mailbox has exceeded its limit, no mail is sent. The invitation is stored in any case, and waits for the
      // owner of the address. It is mailed if it is repeated later.
      if try limits.takeShared(.invitationMail, by: mailbox, in: write) == nil {
        try InvitationLimits.requireRoom(for: viewer.member, from: write.reader)
        try services.mail.append(
          .contactInvitation,
          person: viewer.member,
          address: address,
          subject: key,
          lane: lane,
          in: write
        )
      }
      return Payload(["contactRequest": [key]])
    }
  }

  /// Converts the invitations sent to the person's address to requests, if the address is verified and not hidden. Must
  /// be called whenever an address becomes verified, or is no longer hidden.
  static func deliver(to person: GlobalID, in write: DatedWrite) throws {
    let invitations = try write.reader.all(of: waiting, person, ContactRequest.Found.init)
    for invitation in invitations { try deliver(invitation, to: person, in: write) }
  }

  private static func deliver(_ invitation: ContactRequest.Found, to person: GlobalID, in write: DatedWrite) throws {
    let isKnown = try ContactBook.contact(of: person, with: invitation.from, from: write.reader) != nil
    let open = try ContactRequest.find(between: person, other: invitation.from, from: write.reader)
    let days = try ContactRejection.daysLeft(of: invitation.from, for: person, at: write.now, from: write.reader)
    guard invitation.from != person, !isKnown, open == nil, days == nil else {
      // They have met in another way meanwhile. If both have requested contact, they become contacts.
      try write.transaction.run(ContactRequest.delete, invitation.key)
      ContactRequest.recordChange(of: invitation.key, from: invitation.from, to: nil, in: write)
      let hasRoom = try ContactBook.haveRoom(person, invitation.from, from: write.reader)
      if let open, open.from == person, hasRoom {
        _ = try AcceptContact.accept(open, by: invitation.from, invitation.offered, field: [], in: write)
      }
      return
    }
    try write.transaction.run(claim, (request: invitation.key, person: person))
    ContactRequest.recordChange(of: invitation.key, from: invitation.from, to: person, in: write)
    // As every request that is sent, it lifts the earlier rejection of the recipient's requests.
    try write.transaction.run(ContactRejection.delete, (from: person, to: invitation.from))
    try Notifications.notify(
      person,
      kind: .contactRequestNotification,
      about: invitation.key,
      by: invitation.from,
      in: write
    )
  }
}
