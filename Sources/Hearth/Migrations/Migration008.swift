import Storage

extension Migration {
  /// The search index, pictures of groups, and a key for each membership of a group.
  ///
  /// `search_entry` contains the indexed text, because SQLite needs the exact indexed words to change or delete an
  /// entry (https://sqlite.org/fts5.html#external_content_tables). For existing people the words consider ASCII letters
  /// only, until they change their profile.
  ///
  /// The words have no case and accents: the tokenizer only splits them at the separators that `NameOrder` also uses.
  /// Prefixes of two to six characters are indexed, so that one to five typed letters find words without a scan of all
  /// terms. (Each word is prefixed with a mark: see `SearchWords`.)
  static let search = Migration(
    8,
    name: "search",
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

      ALTER TABLE person_group ADD COLUMN picture INTEGER;
      \(PictureUses.counted(by: "picture", of: "person_group"))

      -- Anew, with a key for each membership, and without a reference to the group: one that is deleted is gone at once,
      -- and the memberships of what may have been a hundred thousand are swept away little by little. There are none yet:
      -- groups could not be made.
      DROP TABLE group_member;
      CREATE TABLE group_member (
        group_id INTEGER NOT NULL,
        person_id INTEGER NOT NULL REFERENCES person (id),
        id INTEGER NOT NULL UNIQUE,
        role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 2), -- 0 admin, 1 member, 2 invited
        -- Of the person.
        name_key TEXT NOT NULL,
        invited_by INTEGER,
        -- NULL for who is only invited.
        joined_at INTEGER,
        PRIMARY KEY (group_id, person_id),
        CHECK ((role = 2) = (joined_at IS NULL))
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX group_member_by_name ON group_member (group_id, name_key, id, role) WHERE role < 2;
      -- Admins, then members, the longest-standing first.
      CREATE INDEX group_member_by_role ON group_member (group_id, role, joined_at, person_id);
      CREATE INDEX group_member_by_person ON group_member (person_id, group_id, role);
      CREATE TRIGGER group_member_added AFTER INSERT ON group_member WHEN NEW.role < 2 BEGIN
        UPDATE person_group SET member_count = member_count + 1 WHERE id = NEW.group_id;
      END;
      CREATE TRIGGER group_member_removed AFTER DELETE ON group_member WHEN OLD.role < 2 BEGIN
        UPDATE person_group SET member_count = member_count - 1 WHERE id = OLD.group_id;
      END;
      CREATE TRIGGER group_member_changed AFTER UPDATE OF role ON group_member
        WHEN (NEW.role < 2) <> (OLD.role < 2)
      BEGIN
        UPDATE person_group SET member_count = member_count + iif(NEW.role < 2, 1, -1) WHERE id = NEW.group_id;
      END;
      -- Groups that were deleted, whose memberships are to be swept away.
      CREATE TABLE ended_group (id INTEGER PRIMARY KEY) STRICT;
      """
  )
}
