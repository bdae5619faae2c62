import Storage

/// A row of `family_invitation`: an open invitation to a family.
struct FamilyInvitationRow: Sendable {
  var id: GlobalID
  var family: GlobalID
  /// Nil for an invitation whose token is older than the table.
  var email: String?
  /// The address in the form of comparisons.
  var emailKey: String?
  var inviter: GlobalID?
  var createdAt: Timestamp
  var expiresAt: Timestamp
  /// The person who has used the token and waits for a parent's confirmation.
  var claimant: GlobalID?
  var claimedAt: Timestamp?

  static let table = Table<FamilyInvitationRow>(
    "family_invitation",
    [
      Column("id", \.id),
      Column("family_id", \.family),
      Column("email", \.email),
      Column("email_key", \.emailKey),
      Column("invited_by", \.inviter),
      Column("created_at", \.createdAt),
      Column("expires_at", \.expiresAt),
      Column("claimed_by", \.claimant),
      Column("claimed_at", \.claimedAt),
    ]
  )

  /// The maximum number of open invitations per family.
  static let maximumOfFamily: Int64 = 50

  typealias Claim = (invitation: GlobalID, person: GlobalID, now: Timestamp, expiresAt: Timestamp)

  static let countOfFamily = SQL<(family: GlobalID, now: Timestamp)>(
    "SELECT count(*) FROM family_invitation WHERE family_id = \(\.family) AND expires_at > \(\.now)"
  )
  static let byAddress = SQL<(family: GlobalID, emailKey: String)>(
    "SELECT id FROM family_invitation WHERE family_id = \(\.family) AND email_key = \(\.emailKey)"
  )
  static let byKey = SQL<GlobalID>(
    """
    SELECT family_id, email_key, invited_by, claimed_by, expires_at FROM family_invitation WHERE id = \(\.self)
    """
  )
  static let ofFamily = SQL<GlobalID>("SELECT id FROM family_invitation WHERE family_id = \(\.self) ORDER BY id")
  static let ofInviter = SQL<(family: GlobalID, inviter: GlobalID)>(
    "SELECT id FROM family_invitation WHERE family_id = \(\.family) AND invited_by = \(\.inviter) ORDER BY id"
  )
  static let setExpiry = SQL<(invitation: GlobalID, expiresAt: Timestamp)>(
    "UPDATE family_invitation SET expires_at = \(\.expiresAt) WHERE id = \(\.invitation)"
  )
  static let claim = SQL<Claim>(
    """
    UPDATE family_invitation SET claimed_by = \(\.person), claimed_at = \(\.now), \
    expires_at = \(greaterOf: "expires_at", "\(\.expiresAt)") WHERE id = \(\.invitation)
    """
  )
  static let endClaim = SQL<(invitation: GlobalID, person: GlobalID)>(
    """
    UPDATE family_invitation SET claimed_by = NULL, claimed_at = NULL \
    WHERE id = \(\.invitation) AND claimed_by = \(\.person)
    """
  )
  static let endClaimsOfPerson = SQL<GlobalID>(
    "UPDATE family_invitation SET claimed_by = NULL, claimed_at = NULL WHERE claimed_by = \(\.self) RETURNING family_id"
  )
  /// Claims on invitations that have expired. The index has only the people who wait for confirmation.
  static let expiredClaims = SQL<Sweeper.Portion>(
    """
    SELECT id, claimed_by FROM family_invitation \(index: "family_invitation_by_claimant") \
    WHERE claimed_by > 0 AND expires_at < \(\.before) ORDER BY claimed_by LIMIT \(\.limit)
    """
  )
  static let delete = SQL<GlobalID>("DELETE FROM family_invitation WHERE id = \(\.self) RETURNING claimed_by")
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM family_invitation WHERE id IN (SELECT id FROM family_invitation \
    \(index: "family_invitation_by_expiry") WHERE expires_at < \(\.before) ORDER BY expires_at LIMIT \(\.limit))
    """
  )

  struct Found: Sendable {
    let key: GlobalID
    let family: GlobalID
    let emailKey: String?
    let inviter: GlobalID?
    let claimant: GlobalID?
    let expiresAt: Timestamp
  }

  static func find(_ key: GlobalID?, from reader: Reader) throws -> Found? {
    guard let key else { return nil }
    return try reader.first(of: byKey, key) { row in
      Found(
        key: key,
        family: row.key(0),
        emailKey: row.optionalString(1),
        inviter: row.optionalKey(2),
        claimant: row.optionalKey(3),
        expiresAt: Timestamp(row.int64(4))
      )
    }
  }

  /// Inserts an invitation. `address` is nil for a token that is older than the table of invitations.
  static func insert(to address: EmailAddress?, by inviter: GlobalID?, in write: FamilyWrite) throws -> GlobalID {
    let invitation = FamilyInvitationRow(
      id: try KeySequence.next(.familyInvitation, in: write.transaction),
      family: write.family,
      email: address?.text,
      emailKey: address?.key,
      inviter: inviter,
      createdAt: write.now,
      expiresAt: write.now + OneTimeToken.Purpose.familyInvitation.lifetime
    )
    try write.transaction.run(table.insert, invitation)
    return invitation.id
  }

  static func invitation(to address: EmailAddress, of family: GlobalID, from reader: Reader) throws -> GlobalID? {
    try reader.key(of: byAddress, (family: family, emailKey: address.key))
  }

  /// The number of invitations of a family that have not expired.
  static func count(of family: GlobalID, at now: Timestamp, from reader: Reader) throws -> Int64 {
    try reader.number(of: countOfFamily, (family: family, now: now)) ?? 0
  }

  /// Moves the expiry to that of the token in the mail, which is an event of the family. A mail that is sent within a
  /// minute of the invitation, as most are, leaves the time that clients have read.
  static func setExpiry(of invitation: Found, to moment: Int64, in write: DatedWrite) throws {
    guard abs(moment - invitation.expiresAt.milliseconds) >= Milliseconds.minute else { return }
    try write.transaction.run(setExpiry, (invitation: invitation.key, expiresAt: Timestamp(moment)))
    write.inFamily(invitation.family).record(.familyChanged)
  }

  // MARK: Claims

  /// Records that `person` waits for confirmation. A person can wait for one family only. The invitation and its token
  /// are valid for another period, so that the invited person can still use the token.
  static func claim(_ key: GlobalID, by person: GlobalID, in write: DatedWrite) throws {
    try endClaims(of: person, in: write)
    let expiresAt = write.now + OneTimeToken.Purpose.familyInvitation.lifetime
    try write.transaction.run(claim, (invitation: key, person: person, now: write.now, expiresAt: expiresAt))
    try OneTimeToken.extend(.familyInvitation, of: key, until: expiresAt, in: write.transaction)
  }

  static func endClaim(of person: GlobalID, on key: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(endClaim, (invitation: key, person: person))
  }

  /// Ends the claims of a person, each of which is an event of the family that has sent the invitation.
  static func endClaims(of person: GlobalID, in write: DatedWrite) throws {
    for family in try clearClaims(of: person, in: write.transaction) {
      write.inFamily(family).record(.familyChanged)
    }
  }

  /// The same without the events. Returns the families that have sent the invitations.
  @discardableResult
  static func clearClaims(of person: GlobalID, in transaction: WriteTransaction) throws -> [GlobalID] {
    try transaction.reader.keys(of: endClaimsOfPerson, person)
  }

  // MARK: Deleting

  /// Deletes an invitation and its tokens. A queued mail is not sent then (`MailComposer`). Returns the person who was
  /// waiting for confirmation, whom `FamilyInvitation.end` notifies.
  static func delete(_ key: GlobalID, in transaction: WriteTransaction) throws -> GlobalID? {
    try OneTimeToken.revoke(.familyInvitation, of: key, in: transaction)
    let claimant: Int64? = try transaction.reader.first(of: delete, key) { row in row.optionalInt64(0) } ?? nil
    return claimant.map(GlobalID.init(rawValue:))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No open invitation has this id.")
  }
}
