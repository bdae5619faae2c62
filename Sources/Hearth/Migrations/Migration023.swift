import Storage

extension Migration {
  /// Changes of e-mail addresses that await their confirmation, and the languages of accounts.
  static let emailChanges = Migration(
    23,
    name: "e-mail changes",
    sql: """
      CREATE TABLE email_change (
        person_id INTEGER PRIMARY KEY REFERENCES person (id),
        -- The new address, as it was entered and as it is compared.
        email TEXT NOT NULL,
        email_key TEXT NOT NULL,
        requested_at INTEGER NOT NULL
      ) STRICT;

      -- The language for mails, as a language tag (BCP 47). NULL if it was not chosen.
      ALTER TABLE account ADD COLUMN locale TEXT;
      """
  )
}
