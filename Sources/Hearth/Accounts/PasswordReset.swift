import GraphQL
import Storage

/// `requestPasswordReset` and `resetPassword`.
enum PasswordReset {
  /// Queues a mail to the address. Whether it has an account, and how many mails its mailbox has received, is checked
  /// when the mail is composed. The response and the work before it are therefore the same for every address, and
  /// requests for addresses without an account do not consume the limits of others. `RATE_LIMITED` depends only on the
  /// caller's network.
  static let request = FieldBinding.mutation { arguments, context in
    var form = InputForm(arguments)
    guard let address = form.emailAddress("email") else { return Payload(errors: form.errors) }
    let services = context.services
    try await context.take(.resetRequest)
    let lane = services.mail.lane(network: context.client, sender: .mailbox(address.mailboxKey))
    try await context.write { write in
      try services.mail.append(.passwordReset, address: address, lane: lane, in: write)
    }
    return .done
  }

  static let reset = FieldBinding.mutation(.input(required: ["token", "newPassword"])) { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let (services, now) = (context.services, context.now)
    var form = InputForm(arguments)
    let reactivates = arguments["reactivate"]?.boolean ?? false
    let device = form.line("device", subject: "A device's name", required: false)
    var own: [String] = []
    // Checked before hashing, so that an invalid token does not cost a hash.
    var subject: LimitedSubject?
    do {
      let owner = try await context.read { reader in
        let person = try OneTimeToken.grant(for: token, as: .passwordReset, at: Timestamp(now), from: reader).subject
        let deactivatedAt = try reader.number(of: AccountReturn.deactivatedAt, person)
        if let deactivatedAt, !reactivates {
          throw RejectedInput([AccountReturn.error(deactivatedAt: deactivatedAt, at: now, field: ["token"])])
        }
        return (person: person, texts: try WeakPassword.ownTexts(of: person, from: reader))
      }
      own = owner.texts
      subject = .person(owner.person)
    } catch let rejected as RejectedInput {
      form.reject(rejected.errors)
    }
    let password = form.newPassword("newPassword", own: own)
    guard form.errors.isEmpty, let password, let subject else { return Payload(errors: form.errors) }
    try await context.take(.newPassword, by: subject)
    let hash = try await context.hash(password, for: .change, of: subject)
    let begun = try await context.write { write in
      let person = try OneTimeToken.redeem(token, as: .passwordReset, in: write).subject
      if reactivates {
        _ = try AccountReturn.reactivate(person, by: person, services: services, in: write)
      }
      return try reset(person, hash: hash, device: device, services: services, in: write)
    }
    return try await Sessions.credentials(for: begun, in: context)
  }

  /// The old password may have been compromised, so all sessions that were opened with this account end, and a new one
  /// begins.
  private static func reset(
    _ person: GlobalID,
    hash: String,
    device: String?,
    services: Services,
    in write: DatedWrite
  ) throws -> Sessions.Begun {
    guard let family = try FamilyMember.family(of: person, from: write.reader) else {
      throw RejectedInput(["token"], code: .deactivated, message: "This account was deactivated.")
    }
    try StoredPassword.set(hash, of: person, in: write.transaction)
    // Until now the address may have belonged to anybody, who may have linked identities to the account.
    if try !VerifiedAddress.isVerified(person, from: write.reader) {
      try write.transaction.run(LinkIdentity.deleteAll, person)
    }
    // The token was sent by mail, so the address is verified.
    try VerifyEmail.verify(person, services: services, in: write)
    try Sessions.endAll(openedBy: person, in: family, transaction: write.transaction)
    return try Sessions.begin(
      member: person,
      family: family,
      device: device,
      origin: Sessions.Origin(.passwordReset, by: person),
      services: services,
      in: write
    )
  }
}
