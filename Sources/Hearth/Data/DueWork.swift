import Storage

/// A row of `due_work`: work on all data that is done in steps.
struct DueWork: Sendable {
  /// Removing deleted entries from the blocks of the search index.
  static let searchIndex = "search index"

  var name: String
  /// When the next step is due.
  var dueAt: Timestamp

  static let table = Table<DueWork>("due_work", [Column("name", \.name), Column("due_at", \.dueAt)])
  /// Replaces an earlier time.
  static let schedule = DueWork.table.insert(then: "ON CONFLICT (name) DO UPDATE SET due_at = \(\.dueAt)")
  static let setDue = DueWork.table.overwrite(matching: [\.name])
  static let dueAt = SQL<String>("SELECT due_at FROM due_work WHERE name = \(\.self)")
  static let delete = SQL<String>("DELETE FROM due_work WHERE name = \(\.self)")
}
