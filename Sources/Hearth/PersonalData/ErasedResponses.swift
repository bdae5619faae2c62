import Storage

/// Erases responses that are kept for idempotency keys, because they can contain the name of an erased member.
///
/// The rows of the writes stay, except for the member's own. A repeated request therefore executes no write twice, and
/// the fields of its response are read again.
enum ErasedResponses {
  typealias Portion = (until: Timestamp, limit: Int64)

  /// The number of responses that are deleted in one write. Each portion passes the rows of the writes again, which are
  /// not deleted: with 100,000 of them, it takes 70 ms.
  static let maximumAtOnce: Int64 = 2_000
  private static let response = String(IdempotentRun.responseStep)

  /// The responses to anybody, the oldest first.
  static let deletePortion = SQL<Portion>(
    """
    DELETE FROM idempotent_write WHERE (key, step) IN (SELECT key, step FROM idempotent_write \
    WHERE created_at <= \(\.until) AND step = \(sql: response) ORDER BY created_at LIMIT \(\.limit))
    """
  )
  static let members = SQL<GlobalID>(
    "SELECT id FROM person WHERE family_id = \(\.self) UNION ALL SELECT id FROM child WHERE family_id = \(\.self)"
  )
  /// The responses to a member.
  static let deleteResponses = SQL<IdempotentWrite.MemberKeys>(
    """
    DELETE FROM idempotent_write WHERE key >= \(\.first) AND key < \(\.end) \
    AND step = \(sql: response)
    """
  )
  /// Everything that is kept of a member's requests. They cannot repeat any: their sessions have ended.
  static let deleteOfMember = SQL<IdempotentWrite.MemberKeys>(
    "DELETE FROM idempotent_write WHERE key >= \(\.first) AND key < \(\.end)"
  )

  /// Deletes everything that is kept of an erased member's requests. The responses to requests that have begun before
  /// are not kept any more (`IdempotentWrite.insertResponse`).
  static func deleteAll(of member: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(deleteOfMember, IdempotentWrite.MemberKeys(member))
    let erasure = Setting(name: IdempotentWrite.lastErasure, value: Secrets.random(16))
    try transaction.run(Setting.store, erasure)
  }

  /// Deletes the responses to all members of a family.
  static func deleteOfFamily(in write: FamilyWrite) throws {
    for member in try write.reader.keys(of: members, write.family) {
      try write.transaction.run(deleteResponses, IdempotentWrite.MemberKeys(member))
    }
  }

  /// Deletes a portion of the responses to anybody from before a member was deactivated or removed; from then on, other
  /// families do not see the name. Which responses contain it is not known. In an erasure after the usual thirty days,
  /// all of these responses have expired.
  ///
  /// Those of the day after it are deleted too. Their time and `end` are when requests began, by the clocks of two
  /// processes, and the deactivation was committed later. A response that is deleted without need is only read again.
  ///
  /// - Parameter end: when the member was deactivated or removed, in milliseconds.
  /// - Returns: whether none is left.
  static func deletePortion(leftAt end: Int64, in write: FamilyWrite) throws -> Bool {
    let until = Timestamp(end + IdempotentWrite.retention)
    try write.transaction.run(deletePortion, (until: until, limit: maximumAtOnce))
    return write.transaction.changedRows < Int(maximumAtOnce)
  }
}
