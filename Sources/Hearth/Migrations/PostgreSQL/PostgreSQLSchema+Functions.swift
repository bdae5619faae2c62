extension PostgreSQLSchema {
  /// What SQLite has no table or its own code for: the table of commits, and the function `keys`. Then triggers that
  /// count: pictures by the rows that name them, contacts, notifications, members and events. As in SQLite, no mutation
  /// changes these counts itself.
  static let functions = """
    -- The writes whose outcome can still be in doubt, by their random numbers: see `CommitToken`.
    CREATE TABLE commit_token (
      token bytea PRIMARY KEY,
      written_at timestamptz NOT NULL DEFAULT now()
    );

    -- An array of keys as a table, as `keys(?)` is in SQLite. The planner replaces a call by the query. Because of the
    -- condition, which is always true, it expects one key, and looks each key up in an index. Otherwise it expects ten,
    -- and reads all rows of a family if an average one has about as many: 370 instead of 17 microseconds for twelve of
    -- 5,000 chores.
    CREATE FUNCTION keys(bigint[]) RETURNS TABLE (value bigint, slot bigint) LANGUAGE sql IMMUTABLE ROWS 1 AS $$
      SELECT k.value, k.number - 1 FROM unnest($1) WITH ORDINALITY AS k (value, number)
      WHERE k.number BETWEEN 1 AND 1000000000
    $$;

    -- How many rows name a picture. The arguments: the column.
    CREATE FUNCTION count_picture() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before bigint;
      after bigint;
    BEGIN
      IF TG_OP <> 'INSERT' THEN EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO before USING OLD; END IF;
      IF TG_OP <> 'DELETE' THEN EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO after USING NEW; END IF;
      UPDATE picture SET uses = uses - 1 WHERE id = before;
      UPDATE picture SET uses = uses + 1 WHERE id = after;
      RETURN NULL;
    END
    $$;
    DO $$
    DECLARE
      named record;
    BEGIN
      FOR named IN SELECT * FROM (VALUES ('person', 'avatar'), ('child', 'avatar'), ('chore', 'image'),
        ('item', 'photo'), ('person_group', 'picture')) AS p (tab, col)
      LOOP
        EXECUTE format('CREATE TRIGGER picture_deleted AFTER DELETE ON %I FOR EACH ROW '
          'WHEN (OLD.%I IS NOT NULL) EXECUTE FUNCTION count_picture(%L)', named.tab, named.col, named.col);
        EXECUTE format('CREATE TRIGGER picture_inserted AFTER INSERT ON %I FOR EACH ROW '
          'WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION count_picture(%L)', named.tab, named.col, named.col);
        EXECUTE format('CREATE TRIGGER picture_updated AFTER UPDATE OF %I ON %I FOR EACH ROW '
          'WHEN (OLD.%I IS DISTINCT FROM NEW.%I) EXECUTE FUNCTION count_picture(%L)',
          named.col, named.tab, named.col, named.col, named.col);
      END LOOP;
    END
    $$;

    CREATE FUNCTION count_contact() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN UPDATE account SET contact_count = contact_count + 1 WHERE id = NEW.owner_id;
      ELSE UPDATE account SET contact_count = contact_count - 1 WHERE id = OLD.owner_id; END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER contact_counted AFTER INSERT OR DELETE ON contact FOR EACH ROW EXECUTE FUNCTION count_contact();

    CREATE FUNCTION count_notification() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        UPDATE account SET notification_count = notification_count + 1,
          unread_count = unread_count + CASE WHEN NEW.read_at IS NULL THEN 1 ELSE 0 END WHERE id = NEW.recipient_id;
      ELSIF TG_OP = 'UPDATE' THEN
        UPDATE account SET unread_count = unread_count + CASE WHEN NEW.read_at IS NULL THEN 1 ELSE -1 END
        WHERE id = NEW.recipient_id;
      ELSE
        UPDATE account SET notification_count = notification_count - 1,
          unread_count = unread_count - CASE WHEN OLD.read_at IS NULL THEN 1 ELSE 0 END WHERE id = OLD.recipient_id;
      END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER notification_counted AFTER INSERT OR DELETE ON notification FOR EACH ROW
    EXECUTE FUNCTION count_notification();
    CREATE TRIGGER notification_read AFTER UPDATE OF read_at ON notification FOR EACH ROW
    WHEN ((NEW.read_at IS NULL) <> (OLD.read_at IS NULL)) EXECUTE FUNCTION count_notification();

    CREATE FUNCTION count_group_member() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        UPDATE person_group SET member_count = member_count + 1 WHERE id = NEW.group_id;
      ELSIF TG_OP = 'UPDATE' THEN
        UPDATE person_group SET member_count = member_count + CASE WHEN NEW.role < 2 THEN 1 ELSE -1 END
        WHERE id = NEW.group_id;
      ELSE
        UPDATE person_group SET member_count = member_count - 1 WHERE id = OLD.group_id;
      END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER group_member_added AFTER INSERT ON group_member FOR EACH ROW
    WHEN (NEW.role < 2) EXECUTE FUNCTION count_group_member();
    CREATE TRIGGER group_member_changed AFTER UPDATE OF role ON group_member FOR EACH ROW
    WHEN ((NEW.role < 2) <> (OLD.role < 2)) EXECUTE FUNCTION count_group_member();
    CREATE TRIGGER group_member_removed AFTER DELETE ON group_member FOR EACH ROW
    WHEN (OLD.role < 2) EXECUTE FUNCTION count_group_member();

    CREATE FUNCTION count_group_join_request() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        UPDATE person_group SET join_request_count = join_request_count + 1 WHERE id = NEW.group_id;
      ELSE
        UPDATE person_group SET join_request_count = join_request_count - 1 WHERE id = OLD.group_id;
      END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER group_join_request_counted AFTER INSERT OR DELETE ON group_join_request FOR EACH ROW
    EXECUTE FUNCTION count_group_join_request();

    CREATE FUNCTION count_family_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO family_feed AS f (family_id, count, swept) VALUES (NEW.family_id, 1, 0)
        ON CONFLICT (family_id) DO UPDATE SET count = f.count + 1;
      ELSE
        UPDATE family_feed SET count = count - 1, swept = greatest(swept, OLD.position) WHERE family_id = OLD.family_id;
      END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER family_event_counted AFTER INSERT OR DELETE ON family_event FOR EACH ROW
    EXECUTE FUNCTION count_family_event();
    """
}
