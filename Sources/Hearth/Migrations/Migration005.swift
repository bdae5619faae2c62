import Storage

extension Migration {
  /// Repeating chores, and keyset pagination at constant cost.
  ///
  /// - `chore.series_id` is the same for all occurrences of a repeating chore. A unique index allows one occurrence of
  ///   a series per period, even if the work runs twice or concurrently.
  /// - `repeats` marks the newest occurrence, from which the next one is copied. Existing chores get their period at
  ///   the first change of period of their family, which has been due since 1970.
  /// - `priority_order` and `due_order` are the sort keys of lists, as in `assignment`. They are columns because SQLite
  ///   seeks into an index only by a row-value comparison of columns.
  static let periods = Migration(
    5,
    name: "periods",
    sql: """
      ALTER TABLE chore ADD COLUMN series_id INTEGER;
      ALTER TABLE chore ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
      -- Where in its period it is due: see DuePlace.
      ALTER TABLE chore ADD COLUMN due_day INTEGER;
      ALTER TABLE chore ADD COLUMN due_time INTEGER;
      ALTER TABLE chore ADD COLUMN priority_order INTEGER AS (-priority) VIRTUAL;
      ALTER TABLE chore ADD COLUMN due_order INTEGER AS (ifnull(due_at, 9223372036854775807)) VIRTUAL;

      CREATE UNIQUE INDEX chore_occurrence ON chore (family_id, series_id, period) WHERE series_id IS NOT NULL;
      -- What is to be copied.
      CREATE INDEX chore_repeating ON chore (family_id, frequency, ifnull(period, '')) WHERE repeats = 1;
      -- What a turn of the period puts away.
      CREATE INDEX chore_left_open ON chore (family_id, frequency, period)
        WHERE status = 0 AND period IS NOT NULL AND removed_at IS NULL;

      DROP INDEX chore_by_priority;
      DROP INDEX chore_by_status;
      DROP INDEX chore_by_due;
      CREATE INDEX chore_by_priority ON chore (family_id, priority_order, due_order, id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_status ON chore (family_id, status, priority_order, due_order, id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_due ON chore (family_id, due_order, id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_period ON chore (family_id, period, priority_order, due_order, id)
        WHERE period IS NOT NULL AND removed_at IS NULL;

      -- When a reminder was meant to come, where that is not when it comes: it was snoozed, or has to come sooner in a
      -- shorter month. Its copies are made from this.
      ALTER TABLE reminder ADD COLUMN planned_at INTEGER;

      -- When the next of its chores' periods begins; NULL where no chore repeats.
      ALTER TABLE family ADD COLUMN next_turn_at INTEGER;
      CREATE INDEX family_turn ON family (next_turn_at) WHERE next_turn_at IS NOT NULL;

      UPDATE chore SET series_id = id, repeats = 1 WHERE frequency <> 0 AND removed_at IS NULL;
      UPDATE family SET next_turn_at = 0 WHERE id IN (SELECT family_id FROM chore WHERE repeats = 1);
      """
  )
}
