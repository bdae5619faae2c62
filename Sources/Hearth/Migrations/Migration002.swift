import Storage

extension Migration {
  /// What was removed is kept for the history that names it; chores in other orders, and by what they are asked for.
  ///
  /// - A child or a chore that was removed keeps its row, with the moment of the removal: points that were given for it
  ///   still say for what, and to whom. The indexes that lists walk leave such rows out.
  /// - `chore.name_key` is the name as it is compared (`NameKey`). For chores that are there already it is made of ASCII
  ///   letters alone, until they are named anew.
  static let lists = Migration(
    2,
    "lists",
    sql: """
      ALTER TABLE child ADD COLUMN removed_at INTEGER;
      ALTER TABLE chore ADD COLUMN removed_at INTEGER;

      ALTER TABLE chore ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
      UPDATE chore SET name_key = lower(name);

      DROP INDEX chore_by_priority;
      CREATE INDEX chore_by_priority
        ON chore (family_id, priority DESC, ifnull(due_at, 9223372036854775807), id) WHERE removed_at IS NULL;
      -- Most lists ask for what is open, and years of what is done lie beside it.
      CREATE INDEX chore_by_status
        ON chore (family_id, status, priority DESC, ifnull(due_at, 9223372036854775807), id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_due
        ON chore (family_id, ifnull(due_at, 9223372036854775807), id) WHERE removed_at IS NULL;
      CREATE INDEX chore_by_name ON chore (family_id, name_key, id) WHERE removed_at IS NULL;
      """
  )
}
