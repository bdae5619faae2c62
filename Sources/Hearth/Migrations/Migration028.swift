import Storage

extension Migration {
  /// Feed positions of each family. They continue from the sequence of keys, from which all positions came before, so
  /// that those which clients have stay valid.
  static let familyPositions = Migration(
    28,
    name: "positions of families",
    sql: """
      -- The newest position that the family has given to an event, a due reminder, or a notification of a member.
      ALTER TABLE family_feed ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
      INSERT INTO family_feed (family_id, count, swept)
        SELECT id, 0, 0 FROM family AS f WHERE NOT EXISTS (SELECT 1 FROM family_feed WHERE family_id = f.id);
      UPDATE family_feed SET position = (SELECT next - 1 FROM sequence);

      -- In the feed of the recipient's family.
      ALTER TABLE notification ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
      UPDATE notification SET position = id >> 6;
      CREATE INDEX notification_by_position ON notification (recipient_id, position);

      -- Writes count the events that they add, with their positions.
      DROP TRIGGER family_event_added;
      """,
    postgreSQL: """
      ALTER TABLE family_feed ADD COLUMN position bigint NOT NULL DEFAULT 0;
      INSERT INTO family_feed (family_id, count, swept)
        SELECT id, 0, 0 FROM family AS f WHERE NOT EXISTS (SELECT 1 FROM family_feed WHERE family_id = f.id);
      UPDATE family_feed SET position = (SELECT next - 1 FROM sequence);

      ALTER TABLE notification ADD COLUMN position bigint NOT NULL DEFAULT 0;
      UPDATE notification SET position = id >> 6;
      CREATE INDEX notification_by_position ON notification (recipient_id, position);

      DROP TRIGGER family_event_counted ON family_event;
      CREATE OR REPLACE FUNCTION count_family_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE family_feed SET count = count - 1, swept = greatest(swept, OLD.position) WHERE family_id = OLD.family_id;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER family_event_counted AFTER DELETE ON family_event FOR EACH ROW
      EXECUTE FUNCTION count_family_event();
      """
  )
}
