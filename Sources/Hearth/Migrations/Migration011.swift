import Storage

extension Migration {
  /// What each member of a group has agreed to share with the others. Also, people are no longer found by addresses
  /// that are only part of their contact details.
  static let consent = Migration(
    11,
    name: "consent",
    sql: """
      -- Bits, as of `person_group.sharing` when they joined. None of who is only invited.
      ALTER TABLE group_member ADD COLUMN sharing INTEGER NOT NULL DEFAULT 0;
      -- Until now, who was in a group showed whatever it shared.
      UPDATE group_member SET sharing = (SELECT g.sharing FROM person_group AS g WHERE g.id = group_id)
        WHERE role < 2 AND EXISTS (SELECT 1 FROM person_group AS g WHERE g.id = group_id);

      UPDATE contact_info SET match_key = NULL WHERE kind = 0;
      """
  )
}
