extension PostgreSQLSchema {
  /// The tables of the contact book, groups, search, invitations and idempotency keys, each with its indexes.
  static let contactTables = """
    CREATE TABLE contact (
      owner_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      id bigint NOT NULL,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      name_key text COLLATE "C" NOT NULL,
      sharing bigint NOT NULL,
      since bigint NOT NULL,
      PRIMARY KEY (owner_id, id),
      CHECK (owner_id <> person_id)
    );
    CREATE INDEX contact_by_name ON contact (owner_id, name_key, id);
    CREATE INDEX contact_by_person ON contact (owner_id, person_id, sharing);
    CREATE UNIQUE INDEX contact_pair ON contact (person_id, owner_id);

    CREATE TABLE contact_request (
      id bigint PRIMARY KEY,
      from_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      to_id bigint REFERENCES person (id) DEFERRABLE,
      offered bigint NOT NULL,
      requested bigint NOT NULL,
      message text COLLATE "C",
      invited_email text COLLATE "C",
      invited_key text COLLATE "C",
      created_at bigint NOT NULL,
      CHECK (to_id IS NOT NULL OR invited_key IS NOT NULL),
      CHECK (from_id IS DISTINCT FROM to_id)
    );
    CREATE INDEX contact_request_incoming ON contact_request (to_id, id) WHERE to_id IS NOT NULL;
    CREATE UNIQUE INDEX contact_request_invitation
    ON contact_request (invited_key, from_id) WHERE to_id IS NULL;
    CREATE INDEX contact_request_outgoing ON contact_request (from_id, id);
    CREATE UNIQUE INDEX contact_request_pair
    ON contact_request (least(from_id, to_id), greatest(from_id, to_id)) WHERE to_id IS NOT NULL;

    CREATE TABLE person_group (
      id bigint PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      description text COLLATE "C",
      hometown text COLLATE "C",
      sharing bigint NOT NULL,
      member_count bigint NOT NULL DEFAULT 0,
      created_by bigint NOT NULL,
      created_at bigint NOT NULL,
      picture bigint,
      access bigint NOT NULL DEFAULT 0,
      join_request_count bigint NOT NULL DEFAULT 0
    );

    CREATE TABLE notification (
      recipient_id bigint NOT NULL,
      id bigint NOT NULL,
      actor_id bigint,
      subject_id bigint,
      created_at bigint NOT NULL,
      read_at bigint,
      PRIMARY KEY (recipient_id, id)
    );
    CREATE INDEX notification_unread ON notification (recipient_id, id) WHERE read_at IS NULL;
    CREATE INDEX notification_by_actor ON notification (actor_id) WHERE actor_id IS NOT NULL;
    CREATE INDEX notification_by_person ON notification (subject_id) WHERE (subject_id & 63) = 3;

    CREATE TABLE search_entry (
      id bigint PRIMARY KEY,
      words text COLLATE "C" NOT NULL,
      version bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX search_entry_by_version ON search_entry (version, id);

    CREATE TABLE group_member (
      group_id bigint NOT NULL,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      id bigint NOT NULL UNIQUE,
      role bigint NOT NULL CHECK (role BETWEEN 0 AND 2),
      name_key text COLLATE "C" NOT NULL,
      invited_by bigint,
      joined_at bigint,
      sharing bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (group_id, person_id),
      CHECK ((role = 2) = (joined_at IS NULL))
    );
    CREATE INDEX group_member_by_name ON group_member (group_id, name_key, id, role) WHERE role < 2;
    CREATE INDEX group_member_by_person ON group_member (person_id, group_id, role);
    CREATE INDEX group_member_by_inviter ON group_member (invited_by) WHERE invited_by IS NOT NULL;
    CREATE INDEX group_member_by_role ON group_member (group_id, role, joined_at, person_id);

    CREATE TABLE ended_group (
      id bigint PRIMARY KEY
    );

    CREATE TABLE family_event (
      family_id bigint NOT NULL,
      position bigint NOT NULL,
      kind bigint NOT NULL,
      subject_id bigint NOT NULL,
      details bytea,
      recorded_at bigint NOT NULL,
      PRIMARY KEY (family_id, position)
    );
    CREATE INDEX family_event_by_age ON family_event (recorded_at);

    CREATE TABLE contact_rejection (
      from_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      to_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      rejected_at bigint NOT NULL,
      PRIMARY KEY (from_id, to_id)
    );
    CREATE INDEX contact_rejection_by_age ON contact_rejection (rejected_at);

    CREATE TABLE family_feed (
      family_id bigint PRIMARY KEY,
      count bigint NOT NULL,
      swept bigint NOT NULL
    );

    CREATE TABLE group_join_request (
      id bigint PRIMARY KEY,
      group_id bigint NOT NULL,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      sharing bigint NOT NULL,
      requested_at bigint NOT NULL
    );
    CREATE INDEX group_join_request_by_group ON group_join_request (group_id, id);
    CREATE INDEX group_join_request_by_person ON group_join_request (person_id);
    CREATE UNIQUE INDEX group_join_request_pair ON group_join_request (group_id, person_id);

    CREATE TABLE group_exclusion (
      group_id bigint NOT NULL,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      is_removal bigint NOT NULL,
      excluded_at bigint NOT NULL,
      PRIMARY KEY (group_id, person_id)
    );
    CREATE INDEX group_exclusion_by_age ON group_exclusion (excluded_at) WHERE is_removal = 0;

    CREATE TABLE family_invitation (
      id bigint PRIMARY KEY,
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      email text COLLATE "C",
      email_key text COLLATE "C",
      invited_by bigint REFERENCES person (id) DEFERRABLE,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      claimed_by bigint REFERENCES person (id) DEFERRABLE,
      claimed_at bigint,
      CHECK ((email IS NULL) = (email_key IS NULL)),
      CHECK ((claimed_by IS NULL) = (claimed_at IS NULL))
    );
    CREATE UNIQUE INDEX family_invitation_by_address
    ON family_invitation (family_id, email_key) WHERE email_key IS NOT NULL;
    CREATE UNIQUE INDEX family_invitation_by_claimant ON family_invitation (claimed_by) WHERE claimed_by IS NOT NULL;
    CREATE INDEX family_invitation_by_expiry ON family_invitation (expires_at);
    CREATE INDEX family_invitation_by_family ON family_invitation (family_id, id);

    CREATE TABLE parent_removal (
      family_id bigint PRIMARY KEY REFERENCES family (id) DEFERRABLE,
      id bigint NOT NULL UNIQUE,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      requested_by bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      requested_at bigint NOT NULL,
      effective_at bigint NOT NULL
    );
    CREATE INDEX parent_removal_by_time ON parent_removal (effective_at);

    CREATE TABLE ended_parent_removal (
      requested_by bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      ended_at bigint NOT NULL,
      PRIMARY KEY (requested_by, person_id)
    );
    CREATE INDEX ended_parent_removal_by_age ON ended_parent_removal (ended_at);

    CREATE TABLE former_parent (
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      left_at bigint NOT NULL,
      PRIMARY KEY (family_id, person_id)
    );

    CREATE TABLE idempotent_write (
      key bytea NOT NULL,
      step bigint NOT NULL,
      person_id bigint,
      request bytea NOT NULL,
      created_at bigint NOT NULL,
      outcome bytea,
      PRIMARY KEY (key, step)
    );
    CREATE INDEX idempotent_write_by_age ON idempotent_write (created_at);

    -- The words of search_entry, and the beginnings of 2 to 6 characters of each with a star before it.
    CREATE TABLE search_word (
      word text COLLATE "C" NOT NULL,
      id bigint NOT NULL,
      PRIMARY KEY (word, id)
    );
    """
}
