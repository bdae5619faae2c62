import Storage

/// The statements of lists of a family's chores, for each order and what is asked for. A list walks the index of its
/// order, and leaves out what does not fit.
///
/// Parameters: 1 the family, 3 how many, 4 to 6 the place after which, from 10 on the filter: status, frequency, due before,
/// due after, period, assignee, text; each null where it is not asked for.
enum ChoreListStatements {
  private static let dueTime = "ifnull(due_at, 9223372036854775807)"
  private static let priorities = "SELECT id, -priority, \(dueTime), NULL FROM chore"
  private static let dues = "SELECT id, \(dueTime), NULL, NULL FROM chore"
  private static let names = "SELECT id, NULL, NULL, name_key FROM chore"
  private static let keys = "SELECT id, NULL, NULL, NULL FROM chore"
  private static let counted = "SELECT count(*) FROM chore"

  private static let byPriority = "ORDER BY priority DESC, \(dueTime), id LIMIT ?3"
  private static let byDue = "ORDER BY \(dueTime), id LIMIT ?3"
  private static let byName = "ORDER BY name_key, id LIMIT ?3"
  private static let byAge = "ORDER BY id DESC LIMIT ?3"

  private static let listed = "WHERE family_id = ?1 AND removed_at IS NULL"
  private static let afterPriority = "AND priority <= -?4 AND (priority < -?4 OR (\(dueTime), id) > (?5, ?6))"
  private static let filter = "AND (?10 IS NULL OR status = ?10) \(filterButStatus)"
  private static let filterButStatus = """
    AND (?11 IS NULL OR frequency = ?11) AND (?12 IS NULL OR due_at < ?12) AND (?13 IS NULL OR due_at >= ?13) \
    AND (?14 IS NULL OR period = ?14) AND (?15 IS NULL OR EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = ?1 AND a.chore_id = chore.id AND a.member_id = ?15)) \
    AND (?16 IS NULL OR instr(name_key, ?16) > 0)
    """

  static let priority = SQL("\(priorities) INDEXED BY chore_by_priority \(listed) \(filter) \(byPriority)")
  static let priorityAfter = SQL(
    "\(priorities) INDEXED BY chore_by_priority \(listed) \(afterPriority) \(filter) \(byPriority)"
  )
  /// Where one status is asked for, the index begins with it.
  static let status = SQL(
    "\(priorities) INDEXED BY chore_by_status \(listed) AND status = ?10 \(filterButStatus) \(byPriority)"
  )
  static let statusAfter = SQL(
    """
    \(priorities) INDEXED BY chore_by_status \(listed) AND status = ?10 \(afterPriority) \(filterButStatus) \(byPriority)
    """
  )
  static let due = SQL("\(dues) INDEXED BY chore_by_due \(listed) \(filter) \(byDue)")
  static let dueAfter = SQL(
    "\(dues) INDEXED BY chore_by_due \(listed) AND \(dueTime) >= ?4 AND (\(dueTime), id) > (?4, ?6) \(filter) \(byDue)"
  )
  static let name = SQL("\(names) INDEXED BY chore_by_name \(listed) \(filter) \(byName)")
  static let nameAfter = SQL(
    "\(names) INDEXED BY chore_by_name \(listed) AND (name_key, id) > (?5, ?6) \(filter) \(byName)"
  )
  static let newest = SQL("\(keys) \(listed) \(filter) \(byAge)")
  static let newestAfter = SQL("\(keys) \(listed) AND id < ?6 \(filter) \(byAge)")
  static let count = SQL("\(counted) \(listed) \(filter)")
  static let countOfStatus = SQL("\(counted) INDEXED BY chore_by_status \(listed) AND status = ?10 \(filterButStatus)")
}
