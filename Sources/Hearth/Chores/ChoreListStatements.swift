import Storage

/// The statements of lists of a family's chores, for each order and what is asked for. A list walks the index of its
/// order from the place where it begins, and leaves out what does not fit; where most would be left out, another index
/// in the same order has only what fits.
///
/// Parameters: 1 the family, 3 how many, 4 to 6 the place after which, from 10 on the filter: status, frequency, due
/// before, due after, period, assignee, text; each null where it is not asked for.
enum ChoreListStatements {
  private static let priorities = "SELECT id, priority_order, due_order, NULL FROM chore"
  private static let dues = "SELECT id, due_order, NULL, NULL FROM chore"
  private static let names = "SELECT id, NULL, NULL, name_key FROM chore"
  private static let keys = "SELECT id, NULL, NULL, NULL FROM chore"
  private static let counted = "SELECT count(*) FROM chore"

  private static let byPriority = "ORDER BY priority_order, due_order, id LIMIT ?3"
  private static let byDue = "ORDER BY due_order, id LIMIT ?3"
  private static let byName = "ORDER BY name_key, id LIMIT ?3"
  private static let byAge = "ORDER BY id DESC LIMIT ?3"

  private static let listed = "WHERE family_id = ?1 AND removed_at IS NULL"
  private static let afterPriority = "AND (priority_order, due_order, id) > (?4, ?5, ?6)"
  private static let ofStatus = "AND (?10 IS NULL OR status = ?10)"
  private static let ofPeriod = "AND (?14 IS NULL OR period = ?14)"
  private static let ofAssignee = """
    AND (?15 IS NULL OR EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = ?1 AND a.chore_id = chore.id AND a.member_id = ?15))
    """
  private static let others = """
    AND (?11 IS NULL OR frequency = ?11) AND (?12 IS NULL OR due_at < ?12) AND (?13 IS NULL OR due_at >= ?13) \
    AND (?16 IS NULL OR instr(name_key, ?16) > 0)
    """
  private static let filter = "\(ofStatus) \(ofPeriod) \(ofAssignee) \(others)"
  private static let filterButStatus = "\(ofPeriod) \(ofAssignee) \(others)"
  private static let filterButPeriod = "\(ofStatus) \(ofAssignee) \(others)"
  private static let dueRange = """
    AND due_order >= ifnull(?13, -9223372036854775808) AND due_order <= ifnull(?12 - 1, 9223372036854775807)
    """

  static let priority = SQL("\(priorities) INDEXED BY chore_by_priority \(listed) \(filter) \(byPriority)")
  static let priorityAfter = SQL(
    "\(priorities) INDEXED BY chore_by_priority \(listed) \(afterPriority) \(filter) \(byPriority)"
  )
  static let count = SQL("\(counted) \(listed) \(filter)")

  // MARK: Where one status is asked for

  private static let statuses = "INDEXED BY chore_by_status \(listed) AND status = ?10"

  static let status = SQL("\(priorities) \(statuses) \(filterButStatus) \(byPriority)")
  static let statusAfter = SQL("\(priorities) \(statuses) \(afterPriority) \(filterButStatus) \(byPriority)")
  static let countOfStatus = SQL("\(counted) \(statuses) \(filterButStatus)")

  // MARK: Where a period is asked for

  private static let periods = "INDEXED BY chore_by_period \(listed) AND period = ?14"

  static let period = SQL("\(priorities) \(periods) \(filterButPeriod) \(byPriority)")
  static let periodAfter = SQL("\(priorities) \(periods) \(afterPriority) \(filterButPeriod) \(byPriority)")
  static let countOfPeriod = SQL("\(counted) \(periods) \(filterButPeriod)")

  // MARK: Where one member's chores of one status are asked for

  private static let assigned = """
    FROM assignment AS a CROSS JOIN chore ON chore.family_id = ?1 AND chore.id = a.chore_id \
    WHERE a.family_id = ?1 AND a.member_id = ?15 AND a.status = ?10 AND removed_at IS NULL \(ofPeriod) \(others)
    """
  private static let byAssignment = "ORDER BY a.priority_order, a.due_order, a.chore_id LIMIT ?3"

  static let assignee = SQL("SELECT a.chore_id, a.priority_order, a.due_order, NULL \(assigned) \(byAssignment)")
  static let assigneeAfter = SQL(
    """
    SELECT a.chore_id, a.priority_order, a.due_order, NULL \(assigned) \
    AND (a.priority_order, a.due_order, a.chore_id) > (?4, ?5, ?6) \(byAssignment)
    """
  )
  static let countOfAssignee = SQL("SELECT count(*) \(assigned)")

  // MARK: Other orders

  static let due = SQL("\(dues) INDEXED BY chore_by_due \(listed) \(dueRange) \(filter) \(byDue)")
  static let dueAfter = SQL(
    "\(dues) INDEXED BY chore_by_due \(listed) AND (due_order, id) > (?4, ?6) \(dueRange) \(filter) \(byDue)"
  )
  static let countOfDue = SQL("\(counted) INDEXED BY chore_by_due \(listed) \(dueRange) \(filter)")
  static let name = SQL("\(names) INDEXED BY chore_by_name \(listed) \(filter) \(byName)")
  static let nameAfter = SQL(
    "\(names) INDEXED BY chore_by_name \(listed) AND (name_key, id) > (?5, ?6) \(filter) \(byName)"
  )
  static let newest = SQL("\(keys) \(listed) \(filter) \(byAge)")
  static let newestAfter = SQL("\(keys) \(listed) AND id < ?6 \(filter) \(byAge)")
}
