import GraphQL
import Storage

/// `changeEmail` and `confirmEmailChange`: the new address applies once it is confirmed by the token of a mail to it.
/// The old address then receives a mail about the change. Sessions continue.
enum ChangeEmail {
  static let set = SQL<(person: GlobalID, email: String, emailKey: String)>(
    """
    UPDATE account SET email = \(\.email), email_key = \(\.emailKey), email_verified = 1 \
    WHERE id = \(\.person)
    """
  )
  static let current = SQL<GlobalID>("SELECT email FROM account WHERE id = \(\.self)")

  static let request = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let input = arguments["input"]
    var form = InputForm(input, at: ["input"])
    let address = form.emailAddress("email")
    try await form.requireSignInProof(of: viewer, in: context)
    guard form.errors.isEmpty, let address else { return Payload(errors: form.errors) }
    // Before the lookup, so that a throttled caller does not learn which addresses have an account.
    try await context.take(.verificationMail, by: .mailbox(address.mailboxKey))
    guard try await !context.read({ reader in try Account.hasEmail(address, from: reader) }) else {
      return Payload(errors: [Account.emailTaken(["input", "email"])])
    }
    let services = context.services
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    try await context.write { write in
      try EmailChange.end(of: viewer.member, in: write.transaction)
      let change = EmailChange(
        person: viewer.member,
        email: address.text,
        emailKey: address.key,
        requestedAt: write.now
      )
      try write.transaction.run(EmailChange.record, change)
      write.recordChange(ofAccount: viewer.member)
      try services.mail.append(.emailChange, person: viewer.member, address: address, lane: lane, in: write)
    }
    return Payload(["account": [viewer.key]])
  }

  static let confirm = FieldBinding.mutation { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let services = context.services
    let person = try await context.write { write in
      let grant = try OneTimeToken.redeem(token, as: .emailChange, in: write)
      try change(grant.subject, to: grant.emailKey, services: services, in: write)
      return grant.subject
    }
    // The loader returns the account only to its owner.
    return Payload(["account": [person.viewed(as: .account)]])
  }

  private static func change(
    _ person: GlobalID,
    to emailKey: String?,
    services: Services,
    in write: DatedWrite
  ) throws {
    guard let change = try EmailChange.find(of: person, from: write.reader), change.emailKey == emailKey,
      let new = EmailAddress(change.email), try FamilyMember.family(of: person, from: write.reader) != nil
    else {
      throw RejectedInput(
        ["token"],
        code: .notFound,
        reason: .emailChangeReplaced,
        message: "The address is not the one that was requested last."
      )
    }
    guard try !Account.hasEmail(new, from: write.reader) else {
      throw RejectedInput([Account.emailTaken(["token"])])
    }
    let old = try write.reader.first(of: current, person) { row in row.string(0) }
    try EmailChange.end(of: person, in: write.transaction)
    // Links in mails to the old address do not concern the new one.
    try OneTimeToken.revoke(.passwordReset, of: person, in: write.transaction)
    try OneTimeToken.revoke(.emailVerification, of: person, in: write.transaction)
    try write.transaction.run(set, (person: person, email: new.text, emailKey: new.key))
    write.recordChange(ofAccount: person)
    try StoppedAddress.allow(new.text, key: services.keys.identifier, in: write.transaction)
    try ContactInvitation.deliver(to: person, in: write)
    guard let old = old.flatMap(EmailAddress.init) else { return }
    let lane = services.mail.lane(network: nil, sender: .person(person))
    try services.mail.append(.emailChanged, person: person, address: old, lane: lane, in: write)
  }
}
