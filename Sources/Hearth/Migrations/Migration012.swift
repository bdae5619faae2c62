import Storage

extension Migration {
  /// The range of kept events of each family.
  static let feedWindows = Migration(
    12,
    name: "feed windows",
    sql: """
      CREATE TABLE family_feed (
        family_id INTEGER PRIMARY KEY,
        -- The family's rows of family_event.
        count INTEGER NOT NULL,
        -- Nothing of the family's up to this position is sure to be kept.
        swept INTEGER NOT NULL
      ) STRICT;
      INSERT INTO family_feed (family_id, count, swept)
        SELECT id, (SELECT count(*) FROM family_event WHERE family_id = f.id), (SELECT swept FROM feed_window)
        FROM family AS f;
      DROP TABLE feed_window;

      CREATE TRIGGER family_event_added AFTER INSERT ON family_event BEGIN
        INSERT INTO family_feed (family_id, count, swept) VALUES (NEW.family_id, 1, 0)
        ON CONFLICT (family_id) DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER family_event_swept AFTER DELETE ON family_event BEGIN
        UPDATE family_feed SET count = count - 1, swept = max(swept, OLD.position) WHERE family_id = OLD.family_id;
      END;
      """
  )
}
