import Storage

extension Migration {
  /// PostgreSQL databases note which families' and members' rows a transaction changes (`PartitionedTable.owned`), so
  /// that a kept response is known to be still the one of an execution. In SQLite files nothing changes: their writer
  /// notes it in memory.
  ///
  /// The triggers run once for a statement, however many rows it changes, except for insertions: the product inserts
  /// one row at a time, for which a trigger for each row takes 13 µs instead of 20. That is 5 % of the database's time
  /// for a new chore. A transaction may be noted more than once: a primary key that prevents it takes another 2 µs.
  static let partitionChanges = Migration(
    34,
    name: "changes of families and members",
    sql: "-- Triggers of PostgreSQL databases note whose rows a transaction changes.",
    postgreSQL: """
      CREATE TABLE partition_change (
        key bigint NOT NULL,
        change xid8 NOT NULL
      );
      CREATE INDEX partition_change_by_key ON partition_change (key, change);
      COMMENT ON TABLE partition_change IS 'The families and members whose rows a transaction has changed. '
        'The key 0 stands for all of them, and for all transactions before the one that is noted.';

      CREATE FUNCTION note_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO partition_change VALUES (0, (pg_current_xact_id()::text::bigint + 1)::text::xid8);
        RETURN NULL;
      END
      $$;
      DO $$
      DECLARE
        owned record;
      BEGIN
        FOR owned IN SELECT * FROM (VALUES ('assignment', 'family_id'), ('child', 'family_id'), ('chore', 'family_id'),
          ('contract', 'family_id'), ('family', 'id'), ('finished_chore', 'family_id'), ('item', 'family_id'),
          ('parent_removal', 'family_id'), ('person', 'family_id'), ('point_balance', 'family_id'),
          ('point_entry', 'family_id'), ('reminder', 'family_id'), ('reward_level', 'family_id'), ('account', 'id'),
          ('contact', 'owner_id'), ('notification', 'recipient_id'), ('notification_setting', 'member_id'))
          AS o (tab, col)
        LOOP
          EXECUTE format('CREATE OR REPLACE FUNCTION note_%1$s_inserted() RETURNS trigger LANGUAGE plpgsql AS $note$ '
            'BEGIN '
            'INSERT INTO partition_change VALUES (NEW.%1$I, pg_current_xact_id()); '
            'RETURN NULL; '
            'END $note$', owned.col);
          EXECUTE format('CREATE OR REPLACE FUNCTION note_%1$s_deleted() RETURNS trigger LANGUAGE plpgsql AS $note$ '
            'BEGIN '
            'INSERT INTO partition_change SELECT DISTINCT %1$I, pg_current_xact_id() FROM changed; '
            'RETURN NULL; '
            'END $note$', owned.col);
          EXECUTE format('CREATE OR REPLACE FUNCTION note_%1$s_updated() RETURNS trigger LANGUAGE plpgsql AS $note$ '
            'BEGIN '
            'INSERT INTO partition_change SELECT %1$I, pg_current_xact_id() FROM changed '
            'UNION SELECT %1$I, pg_current_xact_id() FROM unchanged; '
            'RETURN NULL; '
            'END $note$', owned.col);
          EXECUTE format('CREATE TRIGGER partition_inserted AFTER INSERT ON %I '
            'FOR EACH ROW EXECUTE FUNCTION note_%s_inserted(%L)', owned.tab, owned.col, owned.col);
          EXECUTE format('CREATE TRIGGER partition_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS changed '
            'FOR EACH STATEMENT EXECUTE FUNCTION note_%s_deleted(%L)', owned.tab, owned.col, owned.col);
          EXECUTE format('CREATE TRIGGER partition_updated AFTER UPDATE ON %I '
            'REFERENCING OLD TABLE AS unchanged NEW TABLE AS changed '
            'FOR EACH STATEMENT EXECUTE FUNCTION note_%s_updated(%L)', owned.tab, owned.col, owned.col);
          EXECUTE format('CREATE TRIGGER partition_truncated AFTER TRUNCATE ON %I '
            'FOR EACH STATEMENT EXECUTE FUNCTION note_truncation(%L)', owned.tab, owned.col);
        END LOOP;
      END
      $$;
      """,
    isExpansion: true
  )
}
