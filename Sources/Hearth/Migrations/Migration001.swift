import Storage

extension Migration {
  /// Accounts, families, children, chores, contracts and sessions.
  ///
  /// - Every key is a `GlobalID`: its kind in the low bits, and a number above them that increases with each object.
  ///   The order of keys is therefore the order of creation, and a stored key tells its kind.
  /// - The rows of a family are clustered: tables are `WITHOUT ROWID` with the family first in the key. Reading a
  ///   family never passes rows of another.
  /// - Timestamps are milliseconds since 1970, dates are `YYYY-MM-DD`.
  /// - `account` has the credentials of a person and is read only to sign in and for their own view. `person` has what
  ///   others may see.
  static let household = Migration(
    1,
    name: "household",
    sql: """
      CREATE TABLE setting (
        name TEXT PRIMARY KEY NOT NULL,
        value BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- One row: the number that the next key is made of.
      CREATE TABLE sequence (next INTEGER NOT NULL) STRICT;
      INSERT INTO sequence VALUES (1);

      CREATE TABLE family (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE person (
        id INTEGER PRIMARY KEY,
        family_id INTEGER NOT NULL REFERENCES family (id),
        name TEXT NOT NULL,
        first_name TEXT NOT NULL,
        middle_name TEXT,
        last_name TEXT,
        date_of_birth TEXT,
        gender INTEGER NOT NULL,
        theme INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX person_by_family ON person (family_id, id);

      CREATE TABLE account (
        id INTEGER PRIMARY KEY REFERENCES person (id),
        email TEXT NOT NULL,
        -- The address as it is compared: lower case.
        email_key TEXT NOT NULL UNIQUE,
        email_verified INTEGER NOT NULL DEFAULT 0,
        phone TEXT,
        password_hash TEXT
      ) STRICT;

      CREATE TABLE child (
        family_id INTEGER NOT NULL REFERENCES family (id),
        id INTEGER NOT NULL,
        name TEXT NOT NULL,
        username TEXT NOT NULL,
        username_key TEXT NOT NULL UNIQUE,
        date_of_birth TEXT,
        gender INTEGER NOT NULL,
        theme INTEGER NOT NULL,
        -- Under the current contract, and over all time. Kept by what assigns points.
        points INTEGER NOT NULL DEFAULT 0,
        achievement_points INTEGER NOT NULL DEFAULT 0,
        contract_id INTEGER,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE chore (
        family_id INTEGER NOT NULL REFERENCES family (id),
        id INTEGER NOT NULL,
        name TEXT NOT NULL,
        notes TEXT,
        priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 10),
        due_at INTEGER,
        frequency INTEGER NOT NULL,
        status INTEGER NOT NULL,
        period TEXT,
        copied_from INTEGER,
        -- Who is to do it: their keys in rising order, 8 bytes each, the least significant first. The same as in
        -- assignment, where a member's chores are found; here it saves a list of chores one search for each of them.
        assignees BLOB NOT NULL,
        created_by INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX chore_by_priority
        ON chore (family_id, priority DESC, ifnull(due_at, 9223372036854775807), id);

      -- Who is to do what. The chore's status, priority and due time stand here again, so that a member's open chores lie
      -- side by side in the order in which they are shown: most urgent first, those without a due time last.
      CREATE TABLE assignment (
        family_id INTEGER NOT NULL,
        member_id INTEGER NOT NULL,
        status INTEGER NOT NULL,
        priority_order INTEGER NOT NULL, -- -priority
        due_order INTEGER NOT NULL,      -- due_at, or the largest number
        chore_id INTEGER NOT NULL,
        PRIMARY KEY (family_id, member_id, status, priority_order, due_order, chore_id),
        FOREIGN KEY (family_id, chore_id) REFERENCES chore (family_id, id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX assignment_by_chore ON assignment (family_id, chore_id, member_id);

      CREATE TABLE contract (
        family_id INTEGER NOT NULL,
        child_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        description TEXT,
        max_points INTEGER NOT NULL CHECK (max_points >= 1),
        points INTEGER NOT NULL DEFAULT 0,
        active INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, id),
        FOREIGN KEY (family_id, child_id) REFERENCES child (family_id, id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX contract_by_child ON contract (family_id, child_id, id);

      CREATE TABLE reward_level (
        family_id INTEGER NOT NULL,
        contract_id INTEGER NOT NULL,
        level INTEGER NOT NULL,
        points INTEGER NOT NULL,
        -- Points of this level and those below it: what a child must have to reach it.
        threshold INTEGER NOT NULL,
        award TEXT NOT NULL,
        PRIMARY KEY (family_id, contract_id, level)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE finished_chore (
        family_id INTEGER NOT NULL,
        child_id INTEGER NOT NULL,
        id INTEGER NOT NULL,
        chore_id INTEGER NOT NULL,
        points INTEGER NOT NULL CHECK (points BETWEEN 1 AND 3),
        assigned_by INTEGER NOT NULL,
        finished_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, id),
        FOREIGN KEY (family_id, child_id) REFERENCES child (family_id, id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX finished_chore_by_child ON finished_chore (family_id, child_id, id);

      -- Somebody signed in on a device. `member_id` is a person or a child; a child's session hangs on the family's rows.
      CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        family_id INTEGER NOT NULL,
        member_id INTEGER NOT NULL,
        device TEXT,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        -- Of the refresh token that is good now.
        refresh_hash BLOB NOT NULL
      ) STRICT;
      CREATE INDEX session_by_member ON session (member_id, id);
      """
  )
}
