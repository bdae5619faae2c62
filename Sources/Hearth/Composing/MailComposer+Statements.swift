import Storage

extension MailComposer {
  static let byPerson = SQL<GlobalID>(
    """
    SELECT \(sql: Addressee.columns) FROM person AS p JOIN account AS a ON a.id = p.id \
    WHERE p.id = \(\.self) AND p.deactivated_at IS NULL
    """
  )
  /// Deactivated people too.
  static let byFormerPerson = SQL<GlobalID>(
    """
    SELECT \(sql: Addressee.columns), p.erase_at, f.time_zone FROM person AS p JOIN account AS a ON a.id = p.id \
    \(join: .asWritten) family AS f ON f.id = p.family_id WHERE p.id = \(\.self)
    """
  )
  /// The person with an address, if they are active or can return.
  static let byEmail = SQL<(email: String, since: Timestamp)>(
    """
    SELECT \(sql: Addressee.columns) FROM account AS a JOIN person AS p ON p.id = a.id WHERE a.email_key = \(\.email) \
    AND (p.deactivated_at IS NULL OR (p.deactivated_at > \(\.since) AND p.erased_at IS NULL))
    """
  )
  static let childOfFamily = SQL<(family: GlobalID, child: GlobalID)>(
    """
    SELECT name, username FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL
    """
  )
  static let deletedChild = SQL<(family: GlobalID, child: GlobalID)>(
    """
    SELECT c.name, c.erase_at, f.time_zone FROM child AS c \(join: .asWritten) family AS f ON f.id = c.family_id \
    WHERE c.family_id = \(\.family) AND c.id = \(\.child) AND c.erase_at IS NOT NULL
    """
  )
  static let removalOfFamily = SQL<(family: GlobalID, removal: GlobalID?)>(
    """
    SELECT p.name, q.name, r.effective_at, f.time_zone FROM parent_removal AS r \
    \(join: .asWritten) person AS p ON p.id = r.person_id \(join: .asWritten) person AS q ON q.id = r.requested_by \
    \(join: .asWritten) family AS f ON f.id = r.family_id WHERE r.family_id = \(\.family) AND r.id = \(\.removal)
    """
  )
  static let familyName = SQL<GlobalID>("SELECT name FROM family WHERE id = \(\.self)")
  /// Invitations that were cancelled, or whose address is the verified one of a deactivated account, are not sent.
  static let isWaiting = SQL<GlobalID>(
    """
    SELECT 1 FROM contact_request AS r WHERE r.id = \(\.self) AND r.to_id IS NULL AND NOT EXISTS (\
    SELECT 1 FROM account AS a \(join: .asWritten) person AS p ON p.id = a.id \
    WHERE a.email_key = r.invited_key AND a.email_verified = 1 AND p.deactivated_at IS NOT NULL)
    """
  )

  static let locale = SQL<String>("SELECT locale FROM account WHERE email_key = \(\.self)")
}
