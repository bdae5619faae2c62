import Storage

extension Migration {
  /// Removed rows stay for the history that refers to them. Also further orders and filters of chores, items and
  /// reminders.
  ///
  /// - A removed child or chore keeps its row with the time of removal, because points refer to it. Partial indexes of
  ///   lists exclude such rows.
  /// - `chore.name_key` is the name in the form of comparisons (`NameKey`). For existing chores it considers ASCII
  ///   letters only, until they are renamed.
  static let familyLife = Migration(
    2,
    name: "family life",
    sql: """
      ALTER TABLE child ADD COLUMN removed_at INTEGER;
      ALTER TABLE chore ADD COLUMN removed_at INTEGER;

      ALTER TABLE chore ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
      UPDATE chore SET name_key = lower(name);

      DROP INDEX chore_by_priority;
      CREATE INDEX chore_by_priority
        ON chore (family_id, priority DESC, ifnull(due_at, 9223372036854775807), id) WHERE removed_at IS NULL;
      -- Most lists ask for what is open, and years of what is done lie beside it.
      CREATE INDEX chore_by_status
        ON chore (family_id, status, priority DESC, ifnull(due_at, 9223372036854775807), id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_due
        ON chore (family_id, ifnull(due_at, 9223372036854775807), id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_name ON chore (family_id, name_key, id) WHERE removed_at IS NULL;

      -- Things with a name, and later a photo. One that is removed is gone.
      CREATE TABLE item (
        family_id INTEGER NOT NULL REFERENCES family (id),
        id INTEGER NOT NULL,
        name TEXT NOT NULL,
        created_by INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE reminder (
        family_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        chore_id INTEGER NOT NULL,
        remind_at INTEGER NOT NULL,
        -- 0 scheduled, 1 due, 2 checked off, 3 ignored.
        status INTEGER NOT NULL,
        delivered_at INTEGER,
        answered_by INTEGER,
        PRIMARY KEY (family_id, id),
        FOREIGN KEY (family_id, chore_id) REFERENCES chore (family_id, id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX reminder_by_chore ON reminder (family_id, chore_id, remind_at, id);
      CREATE INDEX reminder_by_time ON reminder (family_id, remind_at, id, status);
      -- Of all families: what the scheduler waits for.
      CREATE INDEX reminder_scheduled ON reminder (remind_at) WHERE status = 0;
      """
  )
}
