import GraphQL
import Storage

/// `signInWithIdentity`: the first sign-in creates the account, and later ones find it by the provider's identifier of
/// the person. An address alone never identifies an account. Otherwise anybody whom a provider verifies with that
/// address could take over the account.
enum SignInWithIdentity {
  static let bySubject = SQL<(provider: IdentityProvider, subject: String)>(
    """
    SELECT p.id, p.family_id, p.deactivated_at FROM identity AS i JOIN person AS p ON p.id = i.person_id \
    WHERE i.provider = \(\.provider) AND i.subject = \(\.subject)
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    var form = InputForm(arguments["input"], at: ["input"])
    let device = form.line("device", subject: "A device's name", required: false)
    let name = form.line("name", subject: "A name", required: false)
    let hidesEmail = form["hideEmail"]?.boolean ?? false
    let reactivates = form["reactivate"]?.boolean ?? false
    let identity = try await IdentityInput.identity(&form, in: context)
    guard form.errors.isEmpty, let identity else { return Payload(errors: form.errors) }
    let services = context.services
    let isKnown = try await context.read { reader in try Self.isKnown(identity, from: reader) }
    if isKnown { await context.giveBack(.providerToken) } else { try await context.take(.registration) }
    // If the limit is exceeded, the mail can be requested later.
    let mailbox = identity.email.map { LimitedSubject.mailbox($0.mailboxKey) }
    let isMailed =
      isKnown || identity.isEmailVerified ? false : await context.takeIfAvailable(.verificationMail, by: mailbox)
    let client = context.client
    let profile = isKnown ? nil : await profile(of: identity, token: form["token"]?.string ?? "", in: context)
    let avatar = await avatar(profile, in: context)
    let begun = try await context.write(with: avatar) { write in
      let account: (person: GlobalID, family: GlobalID)
      if let known = try family(of: identity, reactivates: reactivates, services: services, in: write) {
        account = known
      } else {
        account = try join(
          identity,
          named: name,
          hidesEmail: hidesEmail,
          from: client,
          isMailed: isMailed,
          services: services,
          in: write
        )
        try profile?.fill(account.person, avatar: avatar, in: write.transaction)
      }
      return try Sessions.begin(
        member: account.person,
        family: account.family,
        device: device,
        origin: Sessions.Origin(.identity, by: account.person),
        services: services,
        in: write
      )
    }
    return try await Sessions.credentials(for: begun, in: context)
  }

  private static func isKnown(_ identity: VerifiedIdentity, from reader: Reader) throws -> Bool {
    try reader.hasRow(bySubject, (provider: identity.provider, subject: identity.subject))
  }

  private static func profile(
    of identity: VerifiedIdentity,
    token: String,
    in context: RequestContext
  ) async -> GrantedProfile? {
    context.willSuspend()
    return await context.services.identityVerifiers[identity.provider]?.profile(with: token)
  }

  /// A picture that would be rejected as an upload is ignored.
  private static func avatar(_ profile: GrantedProfile?, in context: RequestContext) async -> PictureChange {
    guard let file = profile?.picture else { return .unchanged }
    let examined = try? await context.services.pictures.examine(file[...], for: context.client)
    return examined.map(PictureChange.chosen) ?? .unchanged
  }

  /// Returns nil if no account has this identity.
  private static func family(
    of identity: VerifiedIdentity,
    reactivates: Bool,
    services: Services,
    in write: DatedWrite
  ) throws -> (person: GlobalID, family: GlobalID)? {
    let found = try write.reader.first(
      of: bySubject,
      (provider: identity.provider, subject: identity.subject)
    ) { row in
      (row.key(0), row.key(1), deactivatedAt: row.optionalInt64(2))
    }
    guard let (person, family, deactivatedAt) = found else { return nil }
    guard let deactivatedAt else { return (person, family) }
    guard reactivates, try AccountReturn.reactivate(person, by: person, services: services, in: write)
    else {
      throw RejectedInput([AccountReturn.error(deactivatedAt: deactivatedAt, at: write.now.milliseconds)])
    }
    return (person, try FamilyMember.family(of: person, from: write.reader) ?? family)
  }

  /// - Parameter name: from the app, for tokens without a name.
  private static func join(
    _ identity: VerifiedIdentity,
    named name: String?,
    hidesEmail: Bool,
    from client: ClientNetwork?,
    isMailed: Bool,
    services: Services,
    in write: DatedWrite
  ) throws -> (person: GlobalID, family: GlobalID) {
    let email = try freeEmail(of: identity, from: write.reader)
    guard identity.name != nil || name != nil || !hidesEmail else {
      throw RejectedInput(
        ["input", "name"],
        code: .blank,
        message: "A name is required: without one, a part of the hidden e-mail address would be shown."
      )
    }
    let applicant = Registration.Applicant(
      email: email,
      phone: nil,
      phoneKey: nil,
      name: identity.name ?? PersonName(splitting: name ?? email.localPart),
      dateOfBirth: identity.dateOfBirth,
      gender: identity.gender,
      isEmailVerified: identity.isEmailVerified,
      hidesEmail: hidesEmail
    )
    let account = try Registration.insert(
      applicant,
      passwordHash: nil,
      from: client,
      isMailed: isMailed,
      services: services,
      in: write
    )
    try LinkIdentity.insert(identity, for: account.person, in: write)
    return account
  }

  /// The address of an identity, which a new account can have.
  private static func freeEmail(of identity: VerifiedIdentity, from reader: Reader) throws -> EmailAddress {
    let provider = identity.provider.title
    guard let email = identity.email else {
      throw RejectedInput(
        ["input", "token"],
        code: .blank,
        reason: .emailNotShared,
        message: """
          \(provider, as: "provider") did not share an e-mail address, which an account requires: allow it, or \
          register with one.
          """
      )
    }
    guard try !Account.hasEmail(email, from: reader) else {
      throw RejectedInput(
        ["input", "token"],
        code: .taken,
        message: """
          There is an account with this e-mail address already: sign in to it, and link \
          \(provider, as: "provider") from there.
          """
      )
    }
    return email
  }
}
