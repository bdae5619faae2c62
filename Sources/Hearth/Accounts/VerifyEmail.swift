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
}
