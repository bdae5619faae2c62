import Storage

extension Migration {
  /// Points as a ledger, from which triggers keep the balances.
  static let pointLedger = Migration(
    20,
    name: "point ledger",
    sql: """
      -- Every change of a member's points. Rows are only added.
      CREATE TABLE point_entry (
        family_id INTEGER NOT NULL REFERENCES family (id),
        -- A child or an adult.
        member_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        -- Negative if points are taken away.
        points INTEGER NOT NULL,
        -- 0 opening, 1 chore, 2 correction, 3 carry-over, 4 closing, 5 redemption: PointEntryKind.
        kind INTEGER NOT NULL,
        -- NULL if it was not recorded.
        author_id INTEGER,
        reason TEXT,
        chore_id INTEGER,
        -- The contract for which the points count, or whose reward was redeemed.
        contract_id INTEGER,
        level INTEGER,
        -- The entry that is corrected.
        corrected_id INTEGER,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX point_entry_by_member ON point_entry (family_id, member_id, id);
      CREATE INDEX point_entry_by_corrected ON point_entry (family_id, corrected_id) WHERE corrected_id IS NOT NULL;

      -- The balances of adults. Those of children are columns of child. Kept by the triggers of point_entry.
      CREATE TABLE point_balance (
        family_id INTEGER NOT NULL,
        member_id INTEGER NOT NULL,
        points INTEGER NOT NULL,
        achievement_points INTEGER NOT NULL,
        PRIMARY KEY (family_id, member_id)
      ) STRICT, WITHOUT ROWID;

      -- The points that exist become opening entries: those of each contract, then what the child had besides them. What
      -- no longer counts is closed. The triggers do not exist yet, so the balances stay as they are.
      INSERT INTO point_entry (family_id, member_id, id, points, kind, contract_id, created_at)
      SELECT family_id, child_id,
        ((SELECT next FROM sequence) + row_number() OVER (ORDER BY family_id, child_id, kind, contract_id) - 1) << 6 | 35,
        points, kind, contract_id, CAST(unixepoch() AS INTEGER) * 1000
      FROM (
        SELECT family_id, child_id, points, 0 AS kind, id AS contract_id FROM contract
        UNION ALL
        SELECT c.family_id, c.id, c.achievement_points - coalesce(
            (SELECT sum(k.points) FROM contract AS k WHERE k.family_id = c.family_id AND k.child_id = c.id), 0), 0, NULL
          FROM child AS c
        UNION ALL
        SELECT family_id, id, points - achievement_points, 4, NULL FROM child
      ) WHERE points <> 0;
      UPDATE sequence SET next = next + (SELECT count(*) FROM point_entry);

      -- Keys have their kind in the low six bits: 4 is a child, 3 an adult. All entries count for points; openings,
      -- chores and corrections for achievement_points; these and carry-overs for the points of the contract.
      CREATE TRIGGER point_entry_added AFTER INSERT ON point_entry WHEN NEW.member_id & 63 = 4 BEGIN
        UPDATE child SET points = points + NEW.points,
          achievement_points = achievement_points + CASE WHEN NEW.kind <= 2 THEN NEW.points ELSE 0 END
          WHERE family_id = NEW.family_id AND id = NEW.member_id;
        UPDATE contract SET points = points + NEW.points
          WHERE family_id = NEW.family_id AND id = NEW.contract_id AND NEW.kind <= 3;
      END;
      CREATE TRIGGER point_entry_of_adult_added AFTER INSERT ON point_entry WHEN NEW.member_id & 63 = 3 BEGIN
        INSERT INTO point_balance (family_id, member_id, points, achievement_points)
          VALUES (NEW.family_id, NEW.member_id, NEW.points, CASE WHEN NEW.kind <= 2 THEN NEW.points ELSE 0 END)
          ON CONFLICT (family_id, member_id) DO UPDATE SET points = points + excluded.points,
            achievement_points = achievement_points + excluded.achievement_points;
      END;
      -- A family that is merged into another brings its entries. A child's row moves with its balance.
      CREATE TRIGGER point_entry_of_adult_moved AFTER UPDATE OF family_id ON point_entry
      WHEN NEW.member_id & 63 = 3 BEGIN
        UPDATE point_balance SET points = points - OLD.points,
          achievement_points = achievement_points - CASE WHEN OLD.kind <= 2 THEN OLD.points ELSE 0 END
          WHERE family_id = OLD.family_id AND member_id = OLD.member_id;
        INSERT INTO point_balance (family_id, member_id, points, achievement_points)
          VALUES (NEW.family_id, NEW.member_id, NEW.points, CASE WHEN NEW.kind <= 2 THEN NEW.points ELSE 0 END)
          ON CONFLICT (family_id, member_id) DO UPDATE SET points = points + excluded.points,
            achievement_points = achievement_points + excluded.achievement_points;
      END;
      CREATE TRIGGER point_entry_unchangeable BEFORE UPDATE OF member_id, id, points, kind, contract_id ON point_entry BEGIN
        SELECT RAISE(ABORT, 'Point entries never change.');
      END;
      """
  )
}
