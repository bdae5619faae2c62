import Storage

extension Migration {
  /// Groups with access by request or by invitation, and members who were removed.
  static let groupAccess = Migration(
    16,
    name: "group access",
    sql: """
      -- 0 open, 1 by request, 2 by invitation: GroupAccess. Existing groups stay open.
      ALTER TABLE person_group ADD COLUMN access INTEGER NOT NULL DEFAULT 0;
      -- Rows of group_join_request. Kept by the triggers below.
      ALTER TABLE person_group ADD COLUMN join_request_count INTEGER NOT NULL DEFAULT 0;

      -- Open requests: those that were answered or withdrawn are deleted.
      CREATE TABLE group_join_request (
        id INTEGER PRIMARY KEY,
        group_id INTEGER NOT NULL,
        person_id INTEGER NOT NULL REFERENCES person (id),
        -- The scopes that the person has agreed to share, as bits.
        sharing INTEGER NOT NULL,
        requested_at INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX group_join_request_pair ON group_join_request (group_id, person_id);
      CREATE INDEX group_join_request_by_group ON group_join_request (group_id, id);
      CREATE INDEX group_join_request_by_person ON group_join_request (person_id);
      CREATE TRIGGER group_join_request_added AFTER INSERT ON group_join_request BEGIN
        UPDATE person_group SET join_request_count = join_request_count + 1 WHERE id = NEW.group_id;
      END;
      CREATE TRIGGER group_join_request_deleted AFTER DELETE ON group_join_request BEGIN
        UPDATE person_group SET join_request_count = join_request_count - 1 WHERE id = OLD.group_id;
      END;

      -- People who may not join: removed members, until an admin invites them, and rejected requesters, for a time.
      CREATE TABLE group_exclusion (
        group_id INTEGER NOT NULL,
        person_id INTEGER NOT NULL REFERENCES person (id),
        is_removal INTEGER NOT NULL,
        excluded_at INTEGER NOT NULL,
        PRIMARY KEY (group_id, person_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX group_exclusion_by_age ON group_exclusion (excluded_at) WHERE is_removal = 0;
      """
  )
}
