import Storage

/// Ends sessions. No other code deletes sessions that have not expired: the end of a session must also be published to
/// `EndedSessions`, which every loop checks before it answers another request.
extension Sessions {
  static let delete = SQL<GlobalID>("DELETE FROM session WHERE id = \(\.self)")
  static let deleteOfMember = SQL<GlobalID>("DELETE FROM session WHERE member_id = \(\.self) RETURNING id")
  static let deleteOfFamily = SQL<GlobalID>("DELETE FROM session WHERE family_id = \(\.self) RETURNING id")
  /// Deletes a session of an adult or of a child of their family.
  static let deleteOne = SQL<(session: GlobalID, adult: GlobalID, family: GlobalID)>(
    """
    DELETE FROM session WHERE id = \(\.session) AND (member_id = \(\.adult) \
    OR (family_id = \(\.family) AND \(Kind.child.isKind(of: "member_id")))) RETURNING id
    """
  )
  /// Deletes the sessions that an adult of the family has opened or whose opener is not recorded, except one.
  static let deleteOpened = SQL<(family: GlobalID, adult: GlobalID, kept: GlobalID?)>(
    """
    DELETE FROM session WHERE family_id = \(\.family) AND (opened_by = \(\.adult) OR opened_by IS NULL) \
    AND id IS DISTINCT FROM \(\.kept) RETURNING id
    """
  )
  /// The newest sessions of a member, with their times. A member of an earlier version can have any number, so a
  /// sign-in reads, and ends, a portion of them.
  static let newestOfMember = SQL<GlobalID>(
    """
    SELECT id, created_at, last_used_at, expires_at FROM session WHERE member_id = \(\.self) \
    ORDER BY id DESC LIMIT \(sql: String(2 * Session.maximumOfMember))
    """
  )
  static let revokeCodes = SQL<(family: GlobalID, adult: GlobalID)>(
    """
    DELETE FROM one_time_token WHERE subject_id IN (SELECT id FROM child WHERE family_id = \(\.family)) \
    AND purpose = \(OneTimeToken.Purpose.signInCode) AND (issued_by = \(\.adult) OR issued_by IS NULL)
    """
  )

  static func end(_ session: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(delete, session)
    EndedSessions.publish([session], in: transaction)
  }

  /// How useful a session is to its member, from the least to the most.
  private enum Use: Int {
    case expired
    /// Left by a script that signs in each time it runs.
    case abandoned
    case current
  }

  /// Ends the sessions that leave no room for a further one of the member: the expired ones, then those that a script
  /// leaves, then those that were used least recently.
  ///
  /// - Parameter tokenLifetime: of an access token, in seconds.
  static func endLeastUsed(of member: GlobalID, tokenLifetime: Int64, in write: DatedWrite) throws {
    let sessions = try write.reader.all(of: newestOfMember, member) { row in
      let (createdAt, lastUsedAt) = (Timestamp(row.int64(1)), Timestamp(row.int64(2)))
      return (
        id: row.key(0), lastUsedAt: lastUsedAt, isExpired: Timestamp(row.int64(3)) <= write.now,
        isUnrenewed: lastUsedAt == createdAt && createdAt + tokenLifetime * 1000 <= write.now
      )
    }
    guard sessions.count >= Session.maximumOfMember else { return }
    // A few are of devices that are not in use at the moment.
    let hasScript = sessions.count { $0.isUnrenewed } > Session.maximumOfMember / 2
    let ordered = sessions.map { session in
      let use: Use = session.isExpired ? .expired : session.isUnrenewed && hasScript ? .abandoned : .current
      return (id: session.id, order: (use.rawValue, session.lastUsedAt, session.id.rawValue))
    }
    .sorted { $0.order > $1.order }
    for session in ordered.dropFirst(Session.maximumOfMember - 1) { try end(session.id, in: write.transaction) }
  }

  /// Ends all sessions of a member.
  static func endAll(of member: GlobalID, in transaction: WriteTransaction) throws {
    try end(by: deleteOfMember, parameters: member, in: transaction)
  }

  /// Ends the sessions of all parents and children of a family.
  static func endAll(ofFamily family: GlobalID, in transaction: WriteTransaction) throws {
    try end(by: deleteOfFamily, parameters: family, in: transaction)
  }

  /// Ends a session of an adult, or of a child of their family. Returns false if there is no such session.
  static func end(_ session: GlobalID, for adult: Viewer, in transaction: WriteTransaction) throws -> Bool {
    let one = (session: session, adult: adult.member, family: adult.family)
    return try end(by: deleteOne, parameters: one, in: transaction) > 0
  }

  /// Ends everything that was begun with an adult's credentials, except one session: their own sessions, children's
  /// sessions that were opened with their password or sign-in codes, open codes, and a change of the e-mail address
  /// that awaits its confirmation. Anybody with the password, a linked identity or a session of the adult could have
  /// begun it.
  ///
  /// Children's sessions whose opener is not recorded end too. Identities stay linked: an owner who has forgotten the
  /// password may have no other way to sign in.
  static func endAll(
    openedBy adult: GlobalID,
    in family: GlobalID,
    but kept: GlobalID? = nil,
    transaction: WriteTransaction
  ) throws {
    try end(openedBy: adult, in: family, but: kept, transaction: transaction)
    try revokeCodes(issuedBy: adult, in: family, transaction: transaction)
    try EmailChange.end(of: adult, in: transaction)
  }

  /// Ends only the sessions. Open codes stay valid.
  static func end(
    openedBy adult: GlobalID,
    in family: GlobalID,
    but kept: GlobalID? = nil,
    transaction: WriteTransaction
  ) throws {
    let opened = (family: family, adult: adult, kept: kept)
    try end(by: deleteOpened, parameters: opened, in: transaction)
  }

  /// Revokes the open sign-in codes of a family's children that an adult has created or whose issuer is not recorded.
  static func revokeCodes(
    issuedBy adult: GlobalID,
    in family: GlobalID,
    transaction: WriteTransaction
  ) throws {
    try transaction.run(revokeCodes, (family: family, adult: adult))
  }

  /// Deletes sessions with a statement that returns their keys. Returns their number.
  @discardableResult
  private static func end<Parameters>(
    by statement: SQL<Parameters>,
    parameters: Parameters,
    in transaction: WriteTransaction
  ) throws -> Int {
    let sessions = try transaction.reader.keys(of: statement, parameters)
    EndedSessions.publish(sessions, in: transaction)
    return sessions.count
  }
}
