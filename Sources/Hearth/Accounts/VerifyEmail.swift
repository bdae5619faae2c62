import GraphQL
import Storage

/// `verifyEmail`: whoever has the token has read the mail, signed in or not.
enum VerifyEmail {
  static let verify = SQL("UPDATE account SET email_verified = 1 WHERE id = ?1 AND email_key = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let now = context.now
    let person = try await context.write { transaction in
      let grant = try OneTimeToken.redeem(token, .emailVerification, at: now, transaction)
      let statement = try transaction.statement(verify)
      try statement.bind(1, grant.subject.rawValue)
      try statement.bind(2, grant.emailKey)
      try statement.run()
      try ContactInvitation.deliver(to: grant.subject, at: now, transaction)
      return grant.subject
    }
    // An account is shown to nobody but its owner: to others the loader finds none.
    return Payload(["account": [person.viewed(as: .account)]])
  }

  static let address = SQL("SELECT email_verified, email FROM account WHERE id = ?1")

  /// `resendVerificationEmail`: for accounts whose mail was lost.
  static let resend = FieldBinding.mutation { _, context in
    let viewer = try context.requireParent()
    let statement = try context.reader.statement(address)
    try statement.bind(1, viewer.member.rawValue)
    let account = try statement.first { row in (isVerified: row.bool(0), email: row.string(1)) }
    guard let account, !account.isVerified else {
      return Payload(errors: [
        UserError(field: [], code: .conflict, message: "The address was verified already.")
      ])
    }
    let (services, now) = (context.services, context.now)
    let mailbox = EmailAddress(account.email)?.mailboxKey ?? account.email
    try context.take(.verificationMail, by: .mailbox(mailbox))
    let lane = MailLane(network: context.client, sender: .person(viewer.member))
    try await context.write { transaction in
      try services.mail.append(.emailVerification, person: viewer.member, in: lane, at: now, transaction)
    }
    return .done
  }
}
