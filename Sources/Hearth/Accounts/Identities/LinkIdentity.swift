import GraphQL
import Storage

/// `linkIdentity` and `unlinkIdentity`: other ways for the signed-in adult to sign in.
enum LinkIdentity {
  static let insert = SQL(
    "INSERT INTO identity (person_id, provider, subject, email, linked_at) VALUES (?1, ?2, ?3, ?4, ?5)"
  )
  static let personOf = SQL("SELECT person_id FROM identity WHERE provider = ?1 AND subject = ?2")
  static let subjectOf = SQL("SELECT subject FROM identity WHERE person_id = ?1 AND provider = ?2")
  static let delete = SQL("DELETE FROM identity WHERE person_id = ?1 AND provider = ?2")
  static let deleteAll = SQL("DELETE FROM identity WHERE person_id = ?1")
  /// Whether there is a password or another identity.
  static let hasOtherWay = SQL(
    """
    SELECT 1 FROM account AS a WHERE a.id = ?1 AND (a.password_hash IS NOT NULL \
    OR EXISTS (SELECT 1 FROM identity AS i WHERE i.person_id = a.id AND i.provider <> ?2))
    """
  )

  static let link = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let identity = try await IdentityInput.identity(&form, context)
    guard form.errors.isEmpty, let identity else { return Payload(errors: form.errors) }
    let now = context.now
    try await context.write { transaction in try link(identity, to: viewer.member, at: now, transaction) }
    return Payload(["account": [viewer.key]])
  }

  /// Doing it twice does it once.
  private static func link(
    _ identity: VerifiedIdentity,
    to person: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let provider = identity.provider
    let owner = try transaction.statement(personOf)
    try owner.bind(1, provider.stored)
    try owner.bind(2, identity.subject)
    if let owner = try owner.first({ row in row.int64(0) }) {
      guard owner != person.rawValue else { return }
      throw Refused(["input", "token"], .taken, "Another account signs in with this account of \(provider.title)'s.")
    }
    let linked = try transaction.statement(subjectOf)
    try linked.bind(1, person.rawValue)
    try linked.bind(2, provider.stored)
    guard try linked.first({ _ in true }) == nil else {
      throw Refused(
        ["input", "provider"],
        .conflict,
        "Another account of \(provider.title)'s is linked already: unlink that first."
      )
    }
    try insert(identity, for: person, at: now, transaction)
  }

  static func insert(
    _ identity: VerifiedIdentity,
    for person: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(insert)
    try statement.bind(1, person.rawValue)
    try statement.bind(2, identity.provider.stored)
    try statement.bind(3, identity.subject)
    try statement.bind(4, identity.email?.text)
    try statement.bind(5, now)
    try statement.run()
  }

  static let unlink = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    guard let provider = arguments["provider"]?.string.flatMap(IdentityProvider.init(rawValue:)) else { return .done }
    try await context.write { transaction in
      let linked = try transaction.statement(subjectOf)
      try linked.bind(1, viewer.member.rawValue)
      try linked.bind(2, provider.stored)
      guard try linked.first({ _ in true }) != nil else {
        throw Refused(["provider"], .notFound, "No account of \(provider.title)'s is linked.")
      }
      let other = try transaction.statement(hasOtherWay)
      try other.bind(1, viewer.member.rawValue)
      try other.bind(2, provider.stored)
      guard try other.first({ _ in true }) != nil else {
        throw Refused(
          ["provider"],
          .notAllowed,
          "There would be no way left to sign in: choose a password first, by asking for a mail to reset it."
        )
      }
      try transaction.run(delete, viewer.member.rawValue, provider.stored)
    }
    return Payload(["account": [viewer.key]])
  }
}
