import Storage

/// A row of `session`: a member's sign-in on a device.
struct Session: StoredRow {
  var id: GlobalID
  var family: GlobalID
  /// A person or a child.
  var member: GlobalID
  var device: String?
  var createdAt: Timestamp
  var lastUsedAt: Timestamp
  var expiresAt: Timestamp
  /// The hash of the current refresh token.
  var refreshHash: [UInt8]
  /// The adult whose credentials or sign-in code opened the session. Nil for children's sessions from before this was
  /// recorded.
  var openedBy: GlobalID?
  /// Nil for sessions from before this was recorded.
  var signInMethod: SignInMethod?
  /// The hash of a used refresh token without a proof. Nil if all tokens of the session have had one.
  var unprovenHash: [UInt8]?
  /// The hash of the refresh token before the current one. Nil if none was used yet.
  var usedHash: [UInt8]?
  /// The current refresh token, sealed with the one before it: see `RefreshToken.sealNext`.
  var sealedToken: [UInt8]?

  /// The most sessions of a member. A further one ends another: `Sessions.endLeastUsed`.
  static let maximumOfMember = 100

  static let table = Table<Session>(
    "session",
    [
      Column("id", \.id),
      Column("family_id", \.family),
      Column("member_id", \.member),
      Column("device", \.device),
      Column("created_at", \.createdAt),
      Column("last_used_at", \.lastUsedAt),
      Column("expires_at", \.expiresAt),
      Column("refresh_hash", \.refreshHash),
      Column("opened_by", \.openedBy),
      Column("sign_in_method", \.signInMethod),
      Column("unproven_hash", \.unprovenHash),
      Column("used_hash", \.usedHash),
      Column("sealed_token", \.sealedToken),
    ]
  )
}
