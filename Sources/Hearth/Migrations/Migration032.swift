import Storage

extension Migration {
  /// Counts of PostgreSQL databases are updated once for all rows that a statement deletes or marks as read. In SQLite
  /// files nothing changes.
  ///
  /// A trigger for each row updates the same account as often. PostgreSQL keeps every version of it until the
  /// transaction ends, and each update passes all of them: deleting 5,000 contacts took a second, and twice as many
  /// take four times as long. Insertions keep a trigger for each row, because the product inserts one row at a time.
  static let bulkCounts = Migration(
    32,
    name: "counts of many rows at once",
    sql: "-- Triggers of PostgreSQL databases count many rows at once.",
    postgreSQL: """
      DROP TRIGGER contact_counted ON contact;
      DROP FUNCTION count_contact();
      CREATE FUNCTION count_contact_added() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE account SET contact_count = contact_count + 1 WHERE id = NEW.owner_id;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER contact_added AFTER INSERT ON contact FOR EACH ROW EXECUTE FUNCTION count_contact_added();
      CREATE FUNCTION count_contacts_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE account AS a SET contact_count = a.contact_count - d.number
        FROM (SELECT owner_id, count(*) AS number FROM deleted GROUP BY owner_id) AS d WHERE a.id = d.owner_id;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER contacts_deleted AFTER DELETE ON contact REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION count_contacts_deleted();

      DROP TRIGGER notification_counted ON notification;
      DROP TRIGGER notification_read ON notification;
      DROP FUNCTION count_notification();
      CREATE FUNCTION count_notification_added() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE account SET notification_count = notification_count + 1,
          unread_count = unread_count + CASE WHEN NEW.read_at IS NULL THEN 1 ELSE 0 END WHERE id = NEW.recipient_id;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER notification_added AFTER INSERT ON notification FOR EACH ROW
      EXECUTE FUNCTION count_notification_added();
      CREATE FUNCTION count_notifications_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE account AS a SET notification_count = a.notification_count - d.number,
          unread_count = a.unread_count - d.unread
        FROM (
          SELECT recipient_id, count(*) AS number, count(*) FILTER (WHERE read_at IS NULL) AS unread FROM deleted
          GROUP BY recipient_id
        ) AS d WHERE a.id = d.recipient_id;
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER notifications_deleted AFTER DELETE ON notification REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION count_notifications_deleted();
      CREATE FUNCTION count_notifications_read() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE account AS a SET unread_count = a.unread_count + c.change
        FROM (
          SELECT recipient_id, sum(change)::bigint AS change FROM (
            SELECT recipient_id, 1 AS change FROM changed WHERE read_at IS NULL
            UNION ALL SELECT recipient_id, -1 FROM unchanged WHERE read_at IS NULL
          ) AS rows GROUP BY recipient_id
        ) AS c WHERE a.id = c.recipient_id AND c.change <> 0;
        RETURN NULL;
      END
      $$;
      -- A trigger with tables of rows cannot be limited to a column.
      CREATE TRIGGER notifications_read AFTER UPDATE ON notification
      REFERENCING OLD TABLE AS unchanged NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_notifications_read();
      """,
    isExpansion: true
  )
}
