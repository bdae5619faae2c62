import Storage

extension Migration {
  /// Keys from a sequence in PostgreSQL databases, so that several processes can write. In SQLite files nothing
  /// changes.
  static let keyBlocks = Migration(
    30,
    name: "blocks of keys",
    sql: "-- Keys of PostgreSQL databases come from a sequence.",
    postgreSQL: """
      -- Each transaction takes a block of 64 numbers: see NumberBlock.
      CREATE SEQUENCE key_block INCREMENT BY 64;
      SELECT setval('key_block', next, false) FROM sequence;
      DROP TABLE sequence;

      -- Drawing a number reveals and changes nothing, and the server's user need not own the sequence.
      GRANT USAGE ON SEQUENCE key_block TO PUBLIC;

      -- The next number, as in the table of SQLite files, for copies.
      CREATE VIEW sequence AS
        SELECT (last_value + CASE WHEN is_called THEN 64 ELSE 0 END)::bigint AS next FROM key_block;
      CREATE FUNCTION set_sequence() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM setval('key_block', NEW.next, false);
        RETURN NEW;
      END
      $$;
      CREATE TRIGGER sequence_set INSTEAD OF INSERT OR UPDATE ON sequence FOR EACH ROW EXECUTE FUNCTION set_sequence();
      """
  )
}
