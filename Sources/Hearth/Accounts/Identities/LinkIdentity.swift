import GraphQL
import Storage

/// `linkIdentity` and `unlinkIdentity`: manage the identity providers with which an adult can sign in.
enum LinkIdentity {
  /// A person and an identity provider.
  typealias Key = (person: GlobalID, provider: IdentityProvider)

  static let personOf = SQL<(provider: IdentityProvider, subject: String)>(
    "SELECT person_id FROM identity WHERE provider = \(\.provider) AND subject = \(\.subject)"
  )
  static let exists = SQL<Key>(
    "SELECT 1 FROM identity WHERE person_id = \(\.person) AND provider = \(\.provider)"
  )
  static let delete = SQL<Key>(
    "DELETE FROM identity WHERE person_id = \(\.person) AND provider = \(\.provider)"
  )
  static let deleteAll = SQL<GlobalID>("DELETE FROM identity WHERE person_id = \(\.self)")
  /// Whether the person has a password or another identity.
  static let hasOtherWay = SQL<Key>(
    """
    SELECT 1 FROM account AS a WHERE a.id = \(\.person) AND (a.password_hash IS NOT NULL \
    OR EXISTS (SELECT 1 FROM identity AS i WHERE i.person_id = a.id AND i.provider <> \(\.provider)))
    """
  )

  static let link = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let token = IdentityInput.token(&form, in: context)
    // As for `changeEmail`: a caller who has linked an identity can sign in with it from then on.
    try await form.requireSignInProof(of: viewer, in: context)
    guard form.errors.isEmpty, let token else { return Payload(errors: form.errors) }
    let identity = try await IdentityInput.identity(of: token, &form, in: context)
    guard form.errors.isEmpty, let identity else { return Payload(errors: form.errors) }
    let services = context.services
    let lane = services.mail.lane(network: context.client, sender: .person(viewer.member))
    try await context.write { write in
      guard try link(identity, to: viewer.member, in: write) else { return }
      // A new password does not end what can sign in from now on, so the owner must know of it.
      try services.mail.append(.identityLinked, person: viewer.member, lane: lane, in: write)
    }
    return Payload(["account": [viewer.key]])
  }

  /// Links an identity. Returns false if it is linked to the person already.
  private static func link(_ identity: VerifiedIdentity, to person: GlobalID, in write: DatedWrite) throws -> Bool {
    let provider = identity.provider
    let owner = try write.reader.first(of: personOf, (provider: provider, subject: identity.subject)) { row in
      row.key(0)
    }
    if let owner {
      guard owner != person else { return false }
      throw RejectedInput(
        ["input", "token"],
        code: .taken,
        message: "Another account is linked to this \(provider.title, as: "provider") account already."
      )
    }
    guard try !write.reader.hasRow(exists, (person: person, provider: provider)) else {
      throw RejectedInput(
        ["input", "provider"],
        code: .conflict,
        message: "Another \(provider.title, as: "provider") account is linked already: unlink it first."
      )
    }
    try insert(identity, for: person, in: write)
    write.recordChange(ofAccount: person)
    return true
  }

  static func insert(_ identity: VerifiedIdentity, for person: GlobalID, in write: DatedWrite) throws {
    let row = Identity(
      person: person,
      provider: identity.provider,
      subject: identity.subject,
      email: identity.email?.text,
      linkedAt: write.now
    )
    try write.transaction.run(Identity.table.insert, row)
  }

  static let unlink = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    guard let provider = arguments["provider"]?.string.flatMap(IdentityProvider.init(rawValue:)) else { return .done }
    try await context.write { write in
      let identity: Key = (person: viewer.member, provider: provider)
      guard try write.reader.hasRow(exists, identity) else {
        throw RejectedInput(
          ["provider"],
          code: .notFound,
          message: "No \(provider.title, as: "provider") account is linked."
        )
      }
      guard try write.reader.hasRow(hasOtherWay, identity) else {
        throw RejectedInput(
          ["provider"],
          code: .notAllowed,
          message: "This is your only way to sign in: set a password first by requesting a password reset mail."
        )
      }
      try write.transaction.run(delete, identity)
      // Somebody may have signed in with the identity.
      try Sessions.endAll(
        openedBy: viewer.member,
        in: viewer.family,
        but: viewer.session,
        transaction: write.transaction
      )
      write.recordChange(ofAccount: viewer.member)
    }
    return Payload(["account": [viewer.key]])
  }
}
