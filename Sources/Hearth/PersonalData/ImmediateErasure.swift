import Storage

/// Erasures for which nothing is waited: those that operators order, and those that are repeated after a restore. They
/// do not depend on the clock either: see `ClockWatch`.
///
/// The time of such an erasure is not after that of the deactivation or removal. Other erasures are due thirty days
/// after it or later.
enum ImmediateErasure {
  static let duePerson = SQL<Erasure.DueQuery>(
    """
    SELECT id, family_id FROM person \(index: "person_to_erase") WHERE erase_at <= \(\.now) \
    AND erase_at <= deactivated_at ORDER BY erase_at LIMIT \(\.limit)
    """
  )
  static let dueChild = SQL<Erasure.DueQuery>(
    """
    SELECT id, family_id FROM child \(index: "child_to_erase") WHERE erase_at <= \(\.now) \
    AND erase_at <= removed_at ORDER BY erase_at LIMIT \(\.limit)
    """
  )
  static let markPerson = SQL<GlobalID>(
    "UPDATE person SET erase_at = deactivated_at WHERE id = \(\.self) AND erase_at > deactivated_at"
  )
  static let markChild = SQL<ChildKey>(
    """
    UPDATE child SET erase_at = removed_at WHERE family_id = \(\.family) AND id = \(\.child) \
    AND erase_at > removed_at
    """
  )

  /// Makes the erasure of a member immediate, after it was scheduled.
  static func mark(_ member: GlobalID, in write: FamilyWrite) throws {
    if member.kind == .child {
      try write.transaction.run(markChild, (family: write.family, child: member))
    } else {
      try write.transaction.run(markPerson, member)
    }
  }
}
