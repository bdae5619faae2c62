import Storage

/// A row of `identity`: an account at an identity provider with which a person signs in.
struct Identity: Sendable {
  var person: GlobalID
  var provider: IdentityProvider
  /// The provider's identifier of the person, which never changes.
  var subject: String
  /// The address that the provider gave when the identity was linked.
  var email: String?
  var linkedAt: Timestamp

  static let table = Table<Identity>(
    "identity",
    [
      Column("person_id", \.person),
      Column("provider", \.provider),
      Column("subject", \.subject),
      Column("email", \.email),
      Column("linked_at", \.linkedAt),
    ]
  )
}
