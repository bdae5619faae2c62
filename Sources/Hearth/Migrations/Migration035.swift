import Storage

extension Migration {
  /// The times for which snoozed reminders were set.
  ///
  /// `planned_at` is another time: copies are made from it, and a change of the family's time zone moves it. It does
  /// not tell which reminders are snoozed, so those that are now count from the time to which they were snoozed.
  static let snoozedReminders = Migration(
    35,
    name: "times before snoozing",
    sql: """
      -- When a snoozed reminder was to come first. NULL until it is snoozed.
      ALTER TABLE reminder ADD COLUMN snoozed_from INTEGER;
      """,
    postgreSQL: """
      ALTER TABLE reminder ADD COLUMN snoozed_from bigint;
      """,
    isExpansion: true
  )
}
