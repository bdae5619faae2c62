import Storage

/// Open invitations to a family as they are stored.
enum FamilyInvitationRow {
  /// The most open invitations that a family can have.
  static let maximumOfFamily: Int64 = 50

  static let insert = SQL(
    """
    INSERT INTO family_invitation (id, family_id, email, email_key, invited_by, created_at, expires_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """
  )
  static let countOfFamily = SQL("SELECT count(*) FROM family_invitation WHERE family_id = ?1 AND expires_at > ?2")
  static let byAddress = SQL("SELECT id FROM family_invitation WHERE family_id = ?1 AND email_key = ?2")
  static let byKey = SQL(
    """
    SELECT family_id, email_key, invited_by, claimed_by, expires_at FROM family_invitation WHERE id = ?1
    """
  )
  static let ofFamily = SQL("SELECT id FROM family_invitation WHERE family_id = ?1 ORDER BY id")
  static let ofInviter = SQL("SELECT id FROM family_invitation WHERE family_id = ?1 AND invited_by = ?2 ORDER BY id")
  static let setExpiry = SQL("UPDATE family_invitation SET expires_at = ?2 WHERE id = ?1")
  static let claim = SQL(
    "UPDATE family_invitation SET claimed_by = ?2, claimed_at = ?3, expires_at = max(expires_at, ?4) WHERE id = ?1"
  )
  static let endClaim = SQL(
    "UPDATE family_invitation SET claimed_by = NULL, claimed_at = NULL WHERE id = ?1 AND claimed_by = ?2"
  )
  static let endClaimsOfPerson = SQL(
    "UPDATE family_invitation SET claimed_by = NULL, claimed_at = NULL WHERE claimed_by = ?1"
  )
  static let delete = SQL("DELETE FROM family_invitation WHERE id = ?1")
  static let sweep = SQL(
    """
    DELETE FROM family_invitation WHERE id IN (SELECT id FROM family_invitation \
    INDEXED BY family_invitation_by_expiry WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)
    """
  )

  struct Found: Sendable {
    let key: GlobalID
    let family: GlobalID
    let emailKey: String?
    let inviter: GlobalID?
    let claimant: GlobalID?
    let expiresAt: Int64
  }

  static func find(_ key: GlobalID?, _ transaction: WriteTransaction) throws -> Found? {
    guard let key else { return nil }
    let statement = try transaction.statement(byKey)
    try statement.bind(1, key.rawValue)
    return try statement.first { row in
      Found(
        key: key,
        family: GlobalID(rawValue: row.int64(0)),
        emailKey: row.optionalString(1),
        inviter: row.optionalInt64(2).map(GlobalID.init(rawValue:)),
        claimant: row.optionalInt64(3).map(GlobalID.init(rawValue:)),
        expiresAt: row.int64(4)
      )
    }
  }

  /// Adds an invitation. `address` is nil for a token that is older than the table of invitations.
  static func insert(
    of family: GlobalID,
    to address: EmailAddress?,
    by inviter: GlobalID?,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    let key = try KeySequence.next(.familyInvitation, transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, key.rawValue)
    try statement.bind(2, family.rawValue)
    try statement.bind(3, address?.text)
    try statement.bind(4, address?.key)
    try statement.bind(5, inviter?.rawValue)
    try statement.bind(6, now)
    try statement.bind(7, now + OneTimeToken.Purpose.familyInvitation.lifetime)
    try statement.run()
    return key
  }

  static func invitation(
    to address: EmailAddress,
    of family: GlobalID,
    _ transaction: WriteTransaction
  ) throws -> GlobalID? {
    let statement = try transaction.statement(byAddress)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, address.key)
    return try statement.first { row in GlobalID(rawValue: row.int64(0)) }
  }

  /// Deletes an invitation with its tokens. A mail that has not been sent is not sent either (`MailComposer`).
  static func delete(_ key: GlobalID, _ transaction: WriteTransaction) throws {
    try OneTimeToken.revoke(.familyInvitation, of: key, transaction)
    try transaction.run(delete, key.rawValue)
  }

  /// Deletes all invitations of a family, those whose token is older than the table among them.
  static func deleteAll(of family: GlobalID, _ transaction: WriteTransaction) throws {
    try OneTimeToken.revoke(.familyInvitation, of: family, transaction)
    let finding = try transaction.statement(ofFamily)
    try finding.bind(1, family.rawValue)
    try deleteAll(finding, transaction)
  }

  /// Deletes the invitations of a parent who leaves the family, so that nobody they invited comes in after that.
  static func deleteAll(
    by inviter: GlobalID,
    of family: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    // Tokens that are older than the table may be theirs.
    try OneTimeToken.revoke(.familyInvitation, of: family, transaction)
    let finding = try transaction.statement(ofInviter)
    try finding.bind(1, family.rawValue)
    try finding.bind(2, inviter.rawValue)
    try deleteAll(finding, transaction)
  }

  private static func deleteAll(_ finding: Statement, _ transaction: WriteTransaction) throws {
    var keys: [GlobalID] = []
    try finding.forEachRow { row in keys.append(GlobalID(rawValue: row.int64(0))) }
    for key in keys { try delete(key, transaction) }
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "There is no open invitation of this id.")
  }
}
