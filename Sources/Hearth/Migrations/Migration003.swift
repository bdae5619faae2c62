import Storage

extension Migration {
  /// One-time tokens, the mail queue, and deactivated accounts.
  static let identity = Migration(
    3,
    name: "identity",
    sql: """
      -- When the person left; NULL as long as they are here.
      ALTER TABLE person ADD COLUMN deactivated_at INTEGER;

      -- A family's sessions all end when its last parent leaves.
      CREATE INDEX session_by_family ON session (family_id);

      -- What a mail or a code lets its holder do, once. The secret itself is stored nowhere.
      CREATE TABLE one_time_token (
        -- SHA-256 of the secret.
        hash BLOB PRIMARY KEY NOT NULL,
        purpose INTEGER NOT NULL,
        -- Whom or what it is about: a person, a child or a family.
        subject_id INTEGER NOT NULL,
        -- The child's family, for a sign-in code.
        family_id INTEGER,
        -- The address that a verification is of, in the form in which addresses are compared.
        email_key TEXT,
        expires_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX one_time_token_by_subject ON one_time_token (subject_id, purpose);
      CREATE INDEX one_time_token_by_expiry ON one_time_token (expires_at);

      -- Mail, written together with what it tells of. Only what it is about is kept: its text, and the secret in it, are
      -- made when it is sent.
      CREATE TABLE mail (
        id INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        -- Who is written to, or who writes to an address.
        person_id INTEGER,
        -- Who is written to, where that may be nobody we know.
        address TEXT,
        subject_id INTEGER,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        -- When to try, or to try again; NULL when it is done with.
        due_at INTEGER,
        sent_at INTEGER
      ) STRICT;
      CREATE INDEX mail_due ON mail (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX mail_done ON mail (created_at) WHERE due_at IS NULL;
      """
  )
}
