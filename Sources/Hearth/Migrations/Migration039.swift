import Storage

extension Migration {
  /// The members who have left a family while its chores are still assigned to them.
  static let departedMembers = Migration(
    39,
    name: "departed members",
    sql: """
      CREATE TABLE departed_member (
        family_id INTEGER NOT NULL REFERENCES family (id),
        -- A person or a child.
        member_id INTEGER NOT NULL,
        left_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, member_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX departed_member_by_time ON departed_member (left_at);
      """,
    postgreSQL: """
      CREATE TABLE departed_member (
        family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
        member_id bigint NOT NULL,
        left_at bigint NOT NULL,
        PRIMARY KEY (family_id, member_id)
      );
      CREATE INDEX departed_member_by_time ON departed_member (left_at);
      """,
    isExpansion: true
  )
}
