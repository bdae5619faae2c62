import Storage

extension Migration {
  /// Family invitations that can be listed and cancelled, and parents who leave or are removed.
  ///
  /// Earlier invitations are one-time tokens whose subject is the family. They remain valid. The address that they were
  /// sent to is unknown, so a parent must confirm the account that uses one.
  static let familyParting = Migration(
    17,
    name: "family parting",
    sql: """
      -- Open invitations: those that were accepted or cancelled are deleted.
      CREATE TABLE family_invitation (
        id INTEGER PRIMARY KEY,
        family_id INTEGER NOT NULL REFERENCES family (id),
        -- The address, as it was written and as it is compared. NULL if the invitation is older than this table.
        email TEXT,
        email_key TEXT,
        invited_by INTEGER REFERENCES person (id),
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        -- The person who has presented the token and waits for a parent's confirmation.
        claimed_by INTEGER REFERENCES person (id),
        claimed_at INTEGER,
        CHECK ((email IS NULL) = (email_key IS NULL)),
        CHECK ((claimed_by IS NULL) = (claimed_at IS NULL))
      ) STRICT;
      CREATE UNIQUE INDEX family_invitation_by_address
        ON family_invitation (family_id, email_key) WHERE email_key IS NOT NULL;
      CREATE INDEX family_invitation_by_family ON family_invitation (family_id, id);
      CREATE UNIQUE INDEX family_invitation_by_claimant ON family_invitation (claimed_by) WHERE claimed_by IS NOT NULL;
      CREATE INDEX family_invitation_by_expiry ON family_invitation (expires_at);

      -- Open requests to remove a parent: at most one in a family.
      CREATE TABLE parent_removal (
        family_id INTEGER PRIMARY KEY REFERENCES family (id),
        id INTEGER NOT NULL UNIQUE,
        person_id INTEGER NOT NULL REFERENCES person (id),
        requested_by INTEGER NOT NULL REFERENCES person (id),
        requested_at INTEGER NOT NULL,
        effective_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX parent_removal_by_time ON parent_removal (effective_at);

      -- Requests that ended without effect, for as long as the same person may not request the same again.
      CREATE TABLE ended_parent_removal (
        requested_by INTEGER NOT NULL REFERENCES person (id),
        person_id INTEGER NOT NULL REFERENCES person (id),
        ended_at INTEGER NOT NULL,
        PRIMARY KEY (requested_by, person_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX ended_parent_removal_by_age ON ended_parent_removal (ended_at);

      -- People who were parents of a family. Its history names them, so its members can still see who they are.
      CREATE TABLE former_parent (
        family_id INTEGER NOT NULL REFERENCES family (id),
        person_id INTEGER NOT NULL REFERENCES person (id),
        left_at INTEGER NOT NULL,
        PRIMARY KEY (family_id, person_id)
      ) STRICT, WITHOUT ROWID;

      -- Who invited the person into their family, and when they joined it. NULL for the parent who founded it.
      ALTER TABLE person ADD COLUMN invited_by INTEGER;
      ALTER TABLE person ADD COLUMN joined_family_at INTEGER;
      """
  )
}
