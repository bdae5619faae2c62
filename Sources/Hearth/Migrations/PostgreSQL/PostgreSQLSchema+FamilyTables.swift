extension PostgreSQLSchema {
  /// The tables of families and their members, each with its indexes.
  static let familyTables = """
    CREATE TABLE setting (
      name text COLLATE "C" PRIMARY KEY NOT NULL,
      value bytea NOT NULL
    );

    -- One row: the number that the next key is made of.
    CREATE TABLE sequence (
      next bigint NOT NULL
    );
    INSERT INTO sequence VALUES (1);

    CREATE TABLE family (
      id bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      time_zone text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      next_turn_at bigint
    );
    CREATE INDEX family_turn ON family (next_turn_at) WHERE next_turn_at IS NOT NULL;

    CREATE TABLE person (
      id bigint PRIMARY KEY,
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      name text COLLATE "C" NOT NULL,
      first_name text COLLATE "C" NOT NULL,
      middle_name text COLLATE "C",
      last_name text COLLATE "C",
      date_of_birth text COLLATE "C",
      gender bigint NOT NULL,
      theme bigint NOT NULL,
      created_at bigint NOT NULL,
      deactivated_at bigint,
      avatar bigint,
      name_key text COLLATE "C" NOT NULL DEFAULT '',
      current_city text COLLATE "C",
      hometown text COLLATE "C",
      company text COLLATE "C",
      high_schools text COLLATE "C",
      colleges text COLLATE "C",
      social_media text COLLATE "C",
      family_since bigint NOT NULL DEFAULT 0,
      invited_by bigint,
      joined_family_at bigint,
      erase_at bigint,
      erased_at bigint
    );
    CREATE INDEX person_by_family ON person (family_id, id);
    CREATE INDEX person_to_erase ON person (erase_at) WHERE erase_at IS NOT NULL;
    CREATE INDEX person_erased ON person (id) WHERE erased_at IS NOT NULL;

    CREATE TABLE account (
      id bigint PRIMARY KEY REFERENCES person (id) DEFERRABLE,
      email text COLLATE "C" NOT NULL,
      email_key text COLLATE "C" NOT NULL UNIQUE,
      email_verified bigint NOT NULL DEFAULT 0,
      phone text COLLATE "C",
      password_hash text COLLATE "C",
      hides_email bigint NOT NULL DEFAULT 0,
      phone_key text COLLATE "C",
      contact_count bigint NOT NULL DEFAULT 0,
      notification_count bigint NOT NULL DEFAULT 0,
      unread_count bigint NOT NULL DEFAULT 0,
      locale text COLLATE "C"
    );
    CREATE INDEX account_by_phone ON account (phone_key) WHERE phone_key IS NOT NULL;

    CREATE TABLE child (
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      id bigint NOT NULL,
      name text COLLATE "C" NOT NULL,
      username text COLLATE "C" NOT NULL,
      username_key text COLLATE "C" NOT NULL UNIQUE,
      date_of_birth text COLLATE "C",
      gender bigint NOT NULL,
      theme bigint NOT NULL,
      points bigint NOT NULL DEFAULT 0,
      achievement_points bigint NOT NULL DEFAULT 0,
      contract_id bigint,
      created_at bigint NOT NULL,
      removed_at bigint,
      avatar bigint,
      erase_at bigint,
      erased_at bigint,
      PRIMARY KEY (family_id, id)
    );
    CREATE INDEX child_to_erase ON child (erase_at) WHERE erase_at IS NOT NULL;
    CREATE INDEX child_erased ON child (id) WHERE erased_at IS NOT NULL;
    CREATE INDEX child_by_id ON child (id);

    CREATE TABLE email_change (
      person_id bigint PRIMARY KEY REFERENCES person (id) DEFERRABLE,
      email text COLLATE "C" NOT NULL,
      email_key text COLLATE "C" NOT NULL,
      requested_at bigint NOT NULL
    );
    """
}
