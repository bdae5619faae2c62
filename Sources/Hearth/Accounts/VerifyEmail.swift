import GraphQL
import Storage

/// `verifyEmail`: the token proves that the caller has read the mail, whether or not they are signed in.
enum VerifyEmail {
  static let address = SQL<GlobalID>("SELECT email_verified, email FROM account WHERE id = \(\.self)")
  static let verify = SQL<(person: GlobalID, emailKey: String?)>(
    """
    UPDATE account SET email_verified = 1 \
    WHERE id = \(\.person) AND email_key = coalesce(\(\.emailKey), email_key) AND email_verified = 0 \
    RETURNING email_key
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let services = context.services
    let person = try await context.write { write in
      let grant = try OneTimeToken.redeem(token, as: .emailVerification, in: write)
      try verify(grant.subject, emailKey: grant.emailKey ?? "", services: services, in: write)
      return grant.subject
    }
    // The loader returns the account only to its owner.
    return Payload(["account": [person.viewed(as: .account)]])
  }

  /// `resendVerificationEmail`: for accounts that did not receive the mail.
  static let resend = FieldBinding.mutation { _, context in
    let viewer = try context.requireParent()
    let account = try await context.read { reader in
      try reader.first(of: address, viewer.member) { row in (isVerified: row.bool(0), email: row.string(1)) }
    }
    guard let account, !account.isVerified else {
      return Payload(errors: [
        UserError(field: [], code: .conflict, message: "The address was verified already.")
      ])
    }
    let services = context.services
    let mailbox = EmailAddress(account.email)?.mailboxKey ?? account.email
    try await context.take(.verificationMail, by: .mailbox(mailbox))
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    try await context.write { write in
      try services.mail.append(.emailVerification, person: viewer.member, lane: lane, in: write)
    }
    return .done
  }

  /// Marks the address of an account as verified, allows invitations to it again, and converts those that wait for it
  /// to requests.
  ///
  /// - Parameter emailKey: the verified address. Nothing happens if the account has another one by now.
  static func verify(
    _ person: GlobalID,
    emailKey: String? = nil,
    services: Services,
    in write: DatedWrite
  ) throws {
    // Nil if it was verified already: what its owner has stopped since then stays so.
    let verified = try write.reader.first(of: verify, (person: person, emailKey: emailKey)) { $0.string(0) }
    if let verified {
      try StoppedAddress.allow(verified, key: services.keys.identifier, in: write.transaction)
      write.recordChange(ofAccount: person)
    }
    try ContactInvitation.deliver(to: person, in: write)
  }
}
