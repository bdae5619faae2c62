import GraphQL
import Storage

/// `verifyEmail`: the token proves that the caller has read the mail, whether or not they are signed in.
enum VerifyEmail {
  static let address = SQL<GlobalID>("SELECT email_verified, email FROM account WHERE id = \(\.self)")
  static let verify = SQL<(person: GlobalID, emailKey: String?)>(
    """
    UPDATE account SET email_verified = 1 \
    WHERE id = \(\.person) AND email_key = coalesce(\(\.emailKey), email_key)
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let now = context.now
    let person = try await context.write { transaction in
      let grant = try OneTimeToken.redeem(token, as: .emailVerification, at: now, in: transaction)
      try verify(grant.subject, emailKey: grant.emailKey ?? "", at: now, in: transaction)
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
    let (services, now) = (context.services, context.now)
    let mailbox = EmailAddress(account.email)?.mailboxKey ?? account.email
    try await context.take(.verificationMail, by: .mailbox(mailbox))
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    try await context.write { transaction in
      try services.mail.append(.emailVerification, person: viewer.member, in: lane, at: now, transaction: transaction)
    }
    return .done
  }

  /// Marks the address of an account as verified, and converts invitations to it to requests.
  ///
  /// - Parameter emailKey: the verified address. Nothing happens if the account has another one by now.
  static func verify(
    _ person: GlobalID,
    emailKey: String? = nil,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    try transaction.run(verify, (person: person, emailKey: emailKey))
    try ContactInvitation.deliver(to: person, at: now, in: transaction)
  }
}
