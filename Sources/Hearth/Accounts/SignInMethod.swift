import Storage

/// How a session was opened.
enum SignInMethod: String, StoredEnumeration {
  case password = "PASSWORD", code = "CODE", identity = "IDENTITY", passwordReset = "PASSWORD_RESET"
}

extension Sessions {
  /// How a session was opened, and by whom.
  struct Origin: Sendable {
    let method: SignInMethod
    /// The adult whose password, provider, mail or sign-in code it was. Nil for codes from before it was recorded.
    let opener: GlobalID?

    init(_ method: SignInMethod, by opener: GlobalID?) {
      self.method = method
      self.opener = opener
    }
  }

  static let deleteOpened = SQL<(family: GlobalID, adult: GlobalID, kept: GlobalID)>(
    """
    DELETE FROM session WHERE family_id = \(\.family) AND (opened_by = \(\.adult) OR opened_by IS NULL) \
    AND id <> \(\.kept) RETURNING id
    """
  )
  static let revokeCodes = SQL<(family: GlobalID, purpose: Int64, adult: GlobalID)>(
    """
    DELETE FROM one_time_token WHERE subject_id IN (SELECT id FROM child WHERE family_id = \(\.family)) \
    AND purpose = \(\.purpose) AND (issued_by = \(\.adult) OR issued_by IS NULL)
    """
  )

  /// Deletes the sign-in codes of a family's children that an adult has issued, or whose issuer is not recorded.
  static func revokeCodes(issuedBy adult: GlobalID, in family: GlobalID, _ transaction: WriteTransaction) throws {
    let purpose = OneTimeToken.Purpose.signInCode.rawValue
    try transaction.run(revokeCodes, (family: family, purpose: purpose, adult: adult))
  }

  /// Deletes the sessions of a family that an adult has opened, or whose opener is not recorded, but for one. Returns
  /// their keys.
  static func deleteOpened(
    by adult: GlobalID,
    in family: GlobalID,
    but kept: GlobalID? = nil,
    _ transaction: WriteTransaction
  ) throws -> [GlobalID] {
    let kept = kept ?? GlobalID(rawValue: 0)
    return try transaction.reader.keys(of: deleteOpened, (family: family, adult: adult, kept: kept))
  }

  /// Ends everything that was opened as an adult of a family, but for one session: the adult's own sessions, children's
  /// sessions that were opened by the adult's password or sign-in codes, and open codes. Anybody with the password or
  /// with a session of the adult could have opened them.
  ///
  /// Children's sessions whose opener is not recorded end too.
  static func endAll(
    openedBy adult: GlobalID,
    in family: GlobalID,
    but kept: GlobalID? = nil,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws {
    let sessions = try deleteOpened(by: adult, in: family, but: kept, transaction)
    transaction.afterCommit { services.endedSessions.append(sessions, at: services.clock.now()) }
    try revokeCodes(issuedBy: adult, in: family, transaction)
  }
}
