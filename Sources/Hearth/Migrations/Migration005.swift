import Storage

extension Migration {
  /// The index of the search, and a key for each membership of a group.
  ///
  /// `search_entry` is what the index was made of: to take an entry out of it, or to change it, SQLite must be given the
  /// very words that were put in (https://sqlite.org/fts5.html#external_content_tables). For people who are there already
  /// the words are made of ASCII letters alone, until they change something of themselves.
  ///
  /// The words come without case and accents: the tokenizer only takes them apart at what is between words, as `NameOrder`
  /// does. Prefixes of two to six characters have indexes of their own, so that one to five letters that somebody has typed find
  /// what they begin without a look at all the words there are. (Each word has a mark before it: see `SearchWords`.)
  static let search = Migration(
    5,
    "search",
    sql: """
      CREATE TABLE search_entry (
        -- Of the person or the group.
        id INTEGER PRIMARY KEY,
        words TEXT NOT NULL
      ) STRICT;
      CREATE VIRTUAL TABLE search_index USING fts5 (
        words, content = 'search_entry', content_rowid = 'id', columnsize = 0, prefix = '2 3 4 5 6',
        tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* Co'"
      );
      CREATE TRIGGER search_entry_added AFTER INSERT ON search_entry BEGIN
        INSERT INTO search_index (rowid, words) VALUES (NEW.id, NEW.words);
      END;
      CREATE TRIGGER search_entry_removed AFTER DELETE ON search_entry BEGIN
        INSERT INTO search_index (search_index, rowid, words) VALUES ('delete', OLD.id, OLD.words);
      END;
      CREATE TRIGGER search_entry_changed AFTER UPDATE OF words ON search_entry BEGIN
        INSERT INTO search_index (search_index, rowid, words) VALUES ('delete', OLD.id, OLD.words);
        INSERT INTO search_index (rowid, words) VALUES (NEW.id, NEW.words);
      END;
      INSERT INTO search_entry (id, words)
        SELECT id, replace(substr(name_key, 1, instr(name_key, char(1)) - 1), ' ', ' n')
          || ifnull(' s o' || replace(lower(hometown), ' ', ' o'), '')
          || ifnull(' s o' || replace(lower(current_city), ' ', ' o'), '')
          || ifnull(' s o' || replace(lower(company), ' ', ' o'), '')
        FROM person WHERE deactivated_at IS NULL;

      -- There are no members yet: groups could not be made.
      ALTER TABLE group_member ADD COLUMN id INTEGER NOT NULL DEFAULT 0;
      CREATE UNIQUE INDEX group_member_by_id ON group_member (id);
      DROP INDEX group_member_by_name;
      CREATE INDEX group_member_by_name ON group_member (group_id, name_key, id, role) WHERE role < 2;
      """
  )
}
