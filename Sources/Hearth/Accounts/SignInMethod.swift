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

  /// Parameters: 1 the family, 2 the adult, 3 a session that is kept.
  static let deleteOpened = SQL(
    "DELETE FROM session WHERE family_id = ?1 AND (opened_by = ?2 OR opened_by IS NULL) AND id <> ?3 RETURNING id"
  )
  /// Parameters: 1 the family, 2 the purpose, 3 the adult.
  static let revokeCodes = SQL(
    """
    DELETE FROM one_time_token WHERE subject_id IN (SELECT id FROM child WHERE family_id = ?1) AND purpose = ?2 \
    AND (issued_by = ?3 OR issued_by IS NULL)
    """
  )

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
    let statement = try transaction.statement(deleteOpened)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, adult.rawValue)
    try statement.bind(3, kept?.rawValue ?? 0)
    try end(deletedBy: statement, services, transaction)
    let purpose = OneTimeToken.Purpose.signInCode
    try transaction.run(revokeCodes, family.rawValue, purpose.rawValue, adult.rawValue)
  }
}
