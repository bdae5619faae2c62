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
    let proof = try await SignInProof.error(
      password: form["password"]?.string,
      field: ["input", "password"],
      for: viewer,
      in: context
    )
    if let proof { form.reject([proof]) }
    guard form.errors.isEmpty, let address else { return Payload(errors: form.errors) }
    // Before the lookup, so that a throttled caller does not learn which addresses have an account.
    try await context.take(.verificationMail, by: .mailbox(address.mailboxKey))
    guard try await !context.read({ reader in try Account.hasEmail(address, from: reader) }) else {
      return Payload(errors: [Account.emailTaken(["input", "email"])])
    }
    let (services, now) = (context.services, context.now)
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    try await context.write { transaction in
      try EmailChange.end(of: viewer.member, in: transaction)
      let change = EmailChange(
        person: viewer.member,
        email: address.text,
        emailKey: address.key,
        requestedAt: Timestamp(now)
      )
      try transaction.run(EmailChange.record, change)
      try services.mail.append(
        .emailChange,
        person: viewer.member,
        address: address,
        in: lane,
        at: now,
        transaction: transaction
      )
    }
    return Payload(["account": [viewer.key]])
  }

  static let confirm = FieldBinding.mutation { arguments, context in
    let token = arguments["token"]?.string ?? ""
    let (services, now) = (context.services, context.now)
    let person = try await context.write { transaction in
      let grant = try OneTimeToken.redeem(token, as: .emailChange, at: now, in: transaction)
      try change(grant.subject, to: grant.emailKey, at: now, services: services, in: transaction)
      return grant.subject
    }
    // The loader returns the account only to its owner.
    return Payload(["account": [person.viewed(as: .account)]])
  }

  private static func change(
    _ person: GlobalID,
    to emailKey: String?,
    at now: Int64,
    services: Services,
    in transaction: WriteTransaction
  ) throws {
    guard let change = try EmailChange.find(of: person, in: transaction), change.emailKey == emailKey,
      let new = EmailAddress(change.email), try FamilyMember.family(of: person, from: transaction.reader) != nil
    else {
      throw RejectedInput(["token"], code: .notFound, message: "The address is not the one that was requested last.")
    }
    guard try !Account.hasEmail(new, from: transaction.reader) else {
      throw RejectedInput([Account.emailTaken(["token"])])
    }
    let old = try transaction.reader.first(of: current, person) { row in row.string(0) }
    try EmailChange.end(of: person, in: transaction)
    // Links in mails to the old address do not concern the new one.
    try OneTimeToken.revoke(.passwordReset, of: person, in: transaction)
    try OneTimeToken.revoke(.emailVerification, of: person, in: transaction)
    try transaction.run(set, (person: person, email: new.text, emailKey: new.key))
    try StoppedAddress.allow(new.text, key: services.keys.identifier, in: transaction)
    try ContactInvitation.deliver(to: person, at: now, in: transaction)
    guard let old = old.flatMap(EmailAddress.init) else { return }
    let lane = services.mail.lane(network: nil, sender: .person(person))
    try services.mail.append(.emailChanged, person: person, address: old, in: lane, at: now, transaction: transaction)
  }
}
