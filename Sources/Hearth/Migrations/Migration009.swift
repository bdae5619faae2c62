import Storage

extension Migration {
  /// The feed of events for subscriptions, with a backlog for clients that reconnect.
  static let feed = Migration(
    9,
    name: "feed",
    sql: """
      -- Positions rise over all families, in the order of the commits: numbers of the sequence that keys are made of.
      CREATE TABLE family_event (
        family_id INTEGER NOT NULL,
        position INTEGER NOT NULL,
        kind INTEGER NOT NULL, -- FamilyEvent.Kind
        subject_id INTEGER NOT NULL,
        -- Further keys, 8 bytes each.
        details BLOB,
        recorded_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, position)
      ) STRICT, WITHOUT ROWID;
      -- For those that are old enough to be swept away.
      CREATE INDEX family_event_by_age ON family_event (recorded_at);
      -- One row: nothing up to this position is sure to be kept.
      CREATE TABLE feed_window (swept INTEGER NOT NULL) STRICT;
      INSERT INTO feed_window (swept) VALUES (0);

      -- When it became due, among all that happens; those that are due already did so when they were made.
      ALTER TABLE reminder ADD COLUMN due_position INTEGER;
      UPDATE reminder SET due_position = id >> 6 WHERE status = 1;
      CREATE INDEX reminder_due ON reminder (family_id, due_position) WHERE status = 1;
      """
  )
}
