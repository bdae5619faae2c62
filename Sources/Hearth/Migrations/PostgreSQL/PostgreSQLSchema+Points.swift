extension PostgreSQLSchema {
  /// The ledger of points, and the triggers that keep the balances.
  static let points = """
    CREATE TABLE point_entry (
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      member_id bigint NOT NULL,
      id bigint NOT NULL,
      points bigint NOT NULL,
      kind bigint NOT NULL,
      author_id bigint,
      reason text COLLATE "C",
      chore_id bigint,
      contract_id bigint,
      level bigint,
      corrected_id bigint,
      created_at bigint NOT NULL,
      PRIMARY KEY (family_id, id)
    );
    CREATE INDEX point_entry_by_member ON point_entry (family_id, member_id, id);
    CREATE INDEX point_entry_by_corrected ON point_entry (family_id, corrected_id) WHERE corrected_id IS NOT NULL;

    -- The balances of adults. Those of children are columns of child.
    CREATE TABLE point_balance (
      family_id bigint NOT NULL,
      member_id bigint NOT NULL,
      points bigint NOT NULL,
      achievement_points bigint NOT NULL,
      PRIMARY KEY (family_id, member_id)
    );

    -- Keys have their kind in the low six bits: 4 is a child, 3 an adult. All entries count for points; openings, chores
    -- and corrections for achievement_points; these and carry-overs for the points of the contract.
    CREATE FUNCTION add_to_balance(family bigint, member bigint, change bigint, entry_kind bigint) RETURNS void
    LANGUAGE sql AS $$
      INSERT INTO point_balance AS b (family_id, member_id, points, achievement_points)
      VALUES (family, member, change, CASE WHEN entry_kind <= 2 THEN change ELSE 0 END)
      ON CONFLICT (family_id, member_id) DO UPDATE SET points = b.points + excluded.points,
        achievement_points = b.achievement_points + excluded.achievement_points
    $$;

    CREATE FUNCTION keep_points() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        -- A family that is merged into another brings its entries. A child's row moves with its balance.
        IF (NEW.member_id & 63) = 3 THEN
          PERFORM add_to_balance(OLD.family_id, OLD.member_id, -OLD.points, OLD.kind);
          PERFORM add_to_balance(NEW.family_id, NEW.member_id, NEW.points, NEW.kind);
        END IF;
      ELSIF (NEW.member_id & 63) = 3 THEN
        PERFORM add_to_balance(NEW.family_id, NEW.member_id, NEW.points, NEW.kind);
      ELSE
        UPDATE child SET points = points + NEW.points,
          achievement_points = achievement_points + CASE WHEN NEW.kind <= 2 THEN NEW.points ELSE 0 END
        WHERE family_id = NEW.family_id AND id = NEW.member_id;
        UPDATE contract SET points = points + NEW.points
        WHERE family_id = NEW.family_id AND id = NEW.contract_id AND NEW.kind <= 3;
      END IF;
      RETURN NULL;
    END
    $$;
    CREATE TRIGGER point_entry_added AFTER INSERT ON point_entry FOR EACH ROW EXECUTE FUNCTION keep_points();
    CREATE TRIGGER point_entry_moved AFTER UPDATE OF family_id ON point_entry FOR EACH ROW
    EXECUTE FUNCTION keep_points();

    CREATE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'Point entries never change.' USING ERRCODE = 'check_violation';
    END
    $$;
    CREATE TRIGGER point_entry_unchangeable BEFORE UPDATE OF member_id, id, points, kind, contract_id ON point_entry
    FOR EACH ROW EXECUTE FUNCTION reject_change();
    """
}
