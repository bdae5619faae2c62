import GraphQL
import Storage

/// `requestPasswordReset` and `resetPassword`.
enum PasswordReset {
  /// Queues a mail for the address. Whether it has an account, and how many mails its mailbox has had, is looked up
  /// when the mail is composed: so the response and the work before it are the same for every address, and requests for
  /// addresses without an account use up nothing of those with one. `RATE_LIMITED` tells of the caller's network only.
  static let request = FieldBinding.mutation { arguments, context in
    var form = InputForm(arguments)
    guard let address = form.emailAddress("email") else { return Payload(errors: form.errors) }
    let (services, now) = (context.services, context.now)
    try context.take(.resetRequest)
    let lane = MailLane(network: context.client, sender: .mailbox(address.mailboxKey))
    try await context.write { transaction in
      try services.mail.append(.passwordReset, address: address, in: lane, at: now, transaction)
    }
    return .done
  }

  static let reset = FieldBinding.mutation { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let (services, now) = (context.services, context.now)
    var form = InputForm(arguments)
    var own: [String] = []
    // Checked before the password is hashed: an invalid token costs no hash.
    var subject: LimitedSubject?
    do {
      let person = try OneTimeToken.grant(for: token, .passwordReset, at: now, context.reader).subject
      own = try WeakPassword.ownTexts(of: person, context.reader)
      subject = .person(person)
    } catch let refused as Refused {
      form.refuse(refused.errors)
    }
    let password = form.newPassword("newPassword", own: own)
    guard form.errors.isEmpty, let password, let subject else { return Payload(errors: form.errors) }
    try context.take(.newPassword, by: subject)
    let hash = try await context.hash(password, for: .change, of: subject)
    let begun = try await context.write { transaction in
      let person = try OneTimeToken.redeem(token, .passwordReset, at: now, transaction).subject
      return try reset(person, hash, at: now, services, transaction)
    }
    return try await Sessions.credentials(for: begun, context)
  }

  /// The old password may have been known to others: all sessions that were opened as this adult end, and one begins.
  private static func reset(
    _ person: GlobalID,
    _ hash: String,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> Sessions.Begun {
    guard let family = try FamilyMember.family(of: person, transaction) else {
      throw Refused(["token"], .deactivated, "This account was deactivated.")
    }
    try ChangePassword.set(hash, of: person, transaction)
    // Until now the address may have been anybody's, and so may what was linked to sign in with.
    if try !VerifiedAddress.isVerified(person, transaction.reader) {
      try transaction.run(LinkIdentity.deleteAll, person)
    }
    // The token came by mail.
    try VerifyEmail.verify(person, at: now, transaction)
    try Sessions.endAll(openedBy: person, in: family, services, transaction)
    return try Sessions.begin(
      member: person,
      family: family,
      device: nil,
      origin: Sessions.Origin(.passwordReset, by: person),
      lifetime: services.configuration.sessionLifetime,
      at: now,
      services,
      transaction
    )
  }
}
