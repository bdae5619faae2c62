import Storage

extension Migration {
  /// Linked identities of providers, hidden addresses, and what the sweeper needs: an index by expiry and failed mail.
  static let identityProviders = Migration(
    6,
    name: "identity providers",
    sql: """
      CREATE TABLE identity (
        person_id INTEGER NOT NULL REFERENCES person (id),
        -- The place of the provider in `IdentityProvider`.
        provider INTEGER NOT NULL,
        -- Who it is, for the provider.
        subject TEXT NOT NULL,
        -- The address that the provider told when it was linked.
        email TEXT,
        linked_at INTEGER NOT NULL,
        PRIMARY KEY (person_id, provider)
      ) STRICT, WITHOUT ROWID;
      -- Nobody is two people here.
      CREATE UNIQUE INDEX identity_by_subject ON identity (provider, subject);

      -- Whether the person wants their address to be shown to nobody.
      ALTER TABLE account ADD COLUMN hides_email INTEGER NOT NULL DEFAULT 0;

      CREATE INDEX session_by_expiry ON session (expires_at);

      -- When a server has said that the mail can never be delivered.
      ALTER TABLE mail ADD COLUMN failed_at INTEGER;
      """
  )
}
