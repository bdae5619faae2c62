import Storage

extension Migration {
  /// The erasure of people and children.
  static let erasures = Migration(
    22,
    name: "erasures",
    sql: """
      -- When the person is erased. Set by deleteAccount, together with deactivated_at.
      ALTER TABLE person ADD COLUMN erase_at INTEGER;
      -- When the person was erased. The row stays without a name for the rows that refer to it.
      ALTER TABLE person ADD COLUMN erased_at INTEGER;
      CREATE INDEX person_to_erase ON person (erase_at) WHERE erase_at IS NOT NULL;
      CREATE INDEX person_erased ON person (id) WHERE erased_at IS NOT NULL;

      -- The same for children. Set by deleteChild, together with removed_at.
      ALTER TABLE child ADD COLUMN erase_at INTEGER;
      ALTER TABLE child ADD COLUMN erased_at INTEGER;
      CREATE INDEX child_to_erase ON child (erase_at) WHERE erase_at IS NOT NULL;
      CREATE INDEX child_erased ON child (id) WHERE erased_at IS NOT NULL;

      -- By which an erasure finds what names the person.
      CREATE INDEX notification_by_actor ON notification (actor_id) WHERE actor_id IS NOT NULL;
      CREATE INDEX notification_by_person ON notification (subject_id) WHERE subject_id & 63 = 3;
      CREATE INDEX group_member_by_inviter ON group_member (invited_by) WHERE invited_by IS NOT NULL;

      -- Families whose last adult has joined another: the name is usually that of the adult.
      UPDATE family SET name = 'Former family'
      WHERE NOT EXISTS (SELECT 1 FROM person AS p WHERE p.family_id = family.id);

      -- Work on all data that is done in steps, and from when on.
      CREATE TABLE due_work (
        name TEXT PRIMARY KEY NOT NULL,
        due_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """
  )
}
