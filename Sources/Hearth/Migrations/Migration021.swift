import Storage

extension Migration {
  /// Rewards that were redeemed and handed out, and notifications of children.
  static let rewardRedemption = Migration(
    21,
    name: "reward redemption",
    sql: """
      -- When the reward was redeemed and by whom, with the entry of the ledger. NULL until then.
      ALTER TABLE reward_level ADD COLUMN redeemed_at INTEGER;
      ALTER TABLE reward_level ADD COLUMN redeemed_by INTEGER;
      ALTER TABLE reward_level ADD COLUMN redemption_id INTEGER;
      -- When a parent handed it out, and who.
      ALTER TABLE reward_level ADD COLUMN handed_out_at INTEGER;
      ALTER TABLE reward_level ADD COLUMN handed_out_by INTEGER;

      -- Recipients can be children, so the column no longer refers to person.
      ALTER TABLE notification RENAME TO old_notification;
      CREATE TABLE notification (
        -- An adult or a child.
        recipient_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        -- The member who caused it, and what it is about: a request, a group, a reminder, a chore or a point entry.
        actor_id INTEGER,
        subject_id INTEGER,
        created_at INTEGER NOT NULL,
        read_at INTEGER,
        PRIMARY KEY (recipient_id, id)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO notification SELECT recipient_id, id, actor_id, subject_id, created_at, read_at FROM old_notification;
      DROP TABLE old_notification;
      CREATE INDEX notification_unread ON notification (recipient_id, id) WHERE read_at IS NULL;
      -- The counts of adults. A child's list is short and is counted when it is read.
      CREATE TRIGGER notification_added AFTER INSERT ON notification BEGIN
        UPDATE account SET notification_count = notification_count + 1,
          unread_count = unread_count + CASE WHEN NEW.read_at IS NULL THEN 1 ELSE 0 END WHERE id = NEW.recipient_id;
      END;
      CREATE TRIGGER notification_removed AFTER DELETE ON notification BEGIN
        UPDATE account SET notification_count = notification_count - 1,
          unread_count = unread_count - CASE WHEN OLD.read_at IS NULL THEN 1 ELSE 0 END WHERE id = OLD.recipient_id;
      END;
      CREATE TRIGGER notification_read AFTER UPDATE OF read_at ON notification
      WHEN (NEW.read_at IS NULL) <> (OLD.read_at IS NULL) BEGIN
        UPDATE account SET unread_count = unread_count + CASE WHEN NEW.read_at IS NULL THEN 1 ELSE -1 END
          WHERE id = NEW.recipient_id;
      END;
      """
  )
}
