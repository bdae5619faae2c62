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

  static let isVerified = SQL("SELECT email_verified FROM account WHERE id = ?1")

  /// `resendVerificationEmail`: for who has lost the mail, or never got it.
  static let resend = FieldBinding.mutation { _, context in
    let viewer = try context.requireParent()
    let statement = try context.reader.statement(isVerified)
    try statement.bind(1, viewer.member.rawValue)
    guard try statement.first({ row in row.bool(0) }) == false else {
      return Payload(errors: [
        UserError(field: [], code: .conflict, message: "The address was verified already.")
      ])
    }
    let (services, now) = (context.services, context.now)
    if let wait = services.mailLimits.verificationWait(viewer.member, at: now) {
      throw FieldError.rateLimited(for: wait)
    }
    try await context.write { transaction in
      try services.mail.append(.emailVerification, person: viewer.member, at: now, transaction)
    }
    return .done
  }
}
