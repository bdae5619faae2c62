extension PostgreSQLSchema {
  /// The tables of families, their members, mail and pictures, each with its indexes.
  static let tables = """
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

    CREATE TABLE due_work (
      name text COLLATE "C" PRIMARY KEY NOT NULL,
      due_at bigint NOT NULL
    );

    CREATE TABLE chore (
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      id bigint NOT NULL,
      name text COLLATE "C" NOT NULL,
      notes text COLLATE "C",
      priority bigint NOT NULL CHECK (priority BETWEEN 1 AND 10),
      due_at bigint,
      frequency bigint NOT NULL,
      status bigint NOT NULL,
      period text COLLATE "C",
      copied_from bigint,
      assignees bytea NOT NULL,
      created_by bigint NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      removed_at bigint,
      name_key text COLLATE "C" NOT NULL DEFAULT '',
      image bigint,
      series_id bigint,
      repeats bigint NOT NULL DEFAULT 0,
      due_day bigint,
      due_time bigint,
      priority_order bigint GENERATED ALWAYS AS (-priority) STORED,
      due_order bigint GENERATED ALWAYS AS (coalesce(due_at, 9223372036854775807)) STORED,
      finished_by bigint,
      finished_at bigint,
      awaits_approval bigint NOT NULL DEFAULT 0,
      approved_by bigint,
      approved_at bigint,
      approved_points bigint,
      returned_by bigint,
      return_comment text COLLATE "C",
      PRIMARY KEY (family_id, id)
    );
    CREATE INDEX chore_awaiting_approval ON chore (family_id, priority_order, due_order, id)
    WHERE awaits_approval = 1 AND removed_at IS NULL;
    CREATE INDEX chore_by_due ON chore (family_id, due_order, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_by_name ON chore (family_id, name_key, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_by_period ON chore (family_id, period, priority_order, due_order, id)
    WHERE period IS NOT NULL AND removed_at IS NULL;
    CREATE INDEX chore_by_priority ON chore (family_id, priority_order, due_order, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_by_status ON chore (family_id, status, priority_order, due_order, id) WHERE removed_at IS NULL;
    CREATE INDEX chore_left_open ON chore (family_id, frequency, period)
    WHERE status = 0 AND period IS NOT NULL AND removed_at IS NULL;
    CREATE UNIQUE INDEX chore_occurrence ON chore (family_id, series_id, period) WHERE series_id IS NOT NULL;
    CREATE INDEX chore_repeating ON chore (family_id, frequency, coalesce(period, '')) WHERE repeats = 1;

    CREATE TABLE assignment (
      family_id bigint NOT NULL,
      member_id bigint NOT NULL,
      status bigint NOT NULL,
      priority_order bigint NOT NULL,
      due_order bigint NOT NULL,
      chore_id bigint NOT NULL,
      PRIMARY KEY (family_id, member_id, status, priority_order, due_order, chore_id),
      FOREIGN KEY (family_id, chore_id) REFERENCES chore (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE UNIQUE INDEX assignment_by_chore ON assignment (family_id, chore_id, member_id);

    CREATE TABLE contract (
      family_id bigint NOT NULL,
      child_id bigint NOT NULL,
      id bigint NOT NULL,
      description text COLLATE "C",
      max_points bigint NOT NULL CHECK (max_points >= 1),
      points bigint NOT NULL DEFAULT 0,
      active bigint NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (family_id, id),
      FOREIGN KEY (family_id, child_id) REFERENCES child (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE INDEX contract_by_child ON contract (family_id, child_id, id);

    CREATE TABLE reward_level (
      family_id bigint NOT NULL,
      contract_id bigint NOT NULL,
      level bigint NOT NULL,
      points bigint NOT NULL,
      threshold bigint NOT NULL,
      award text COLLATE "C" NOT NULL,
      redeemed_at bigint,
      redeemed_by bigint,
      redemption_id bigint,
      handed_out_at bigint,
      handed_out_by bigint,
      PRIMARY KEY (family_id, contract_id, level)
    );

    CREATE TABLE finished_chore (
      family_id bigint NOT NULL,
      child_id bigint NOT NULL,
      id bigint NOT NULL,
      chore_id bigint NOT NULL,
      points bigint NOT NULL CHECK (points BETWEEN 1 AND 3),
      assigned_by bigint NOT NULL,
      finished_at bigint NOT NULL,
      PRIMARY KEY (family_id, id),
      FOREIGN KEY (family_id, child_id) REFERENCES child (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE INDEX finished_chore_by_child ON finished_chore (family_id, child_id, id);
    CREATE INDEX finished_chore_by_chore ON finished_chore (family_id, chore_id, child_id, finished_at);

    CREATE TABLE session (
      id bigint PRIMARY KEY,
      family_id bigint NOT NULL,
      member_id bigint NOT NULL,
      device text COLLATE "C",
      created_at bigint NOT NULL,
      last_used_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      refresh_hash bytea NOT NULL,
      opened_by bigint,
      sign_in_method bigint,
      unproven_hash bytea
    );
    CREATE INDEX session_by_expiry ON session (expires_at);
    CREATE INDEX session_by_family ON session (family_id);
    CREATE INDEX session_by_member ON session (member_id, id);

    CREATE TABLE item (
      family_id bigint NOT NULL REFERENCES family (id) DEFERRABLE,
      id bigint NOT NULL,
      name text COLLATE "C" NOT NULL,
      created_by bigint NOT NULL,
      created_at bigint NOT NULL,
      photo bigint,
      PRIMARY KEY (family_id, id)
    );

    CREATE TABLE reminder (
      family_id bigint NOT NULL,
      id bigint NOT NULL,
      chore_id bigint NOT NULL,
      remind_at bigint NOT NULL,
      status bigint NOT NULL,
      delivered_at bigint,
      answered_by bigint,
      planned_at bigint,
      due_position bigint,
      PRIMARY KEY (family_id, id),
      FOREIGN KEY (family_id, chore_id) REFERENCES chore (family_id, id) ON DELETE CASCADE DEFERRABLE
    );
    CREATE INDEX reminder_by_chore ON reminder (family_id, chore_id, remind_at, id);
    CREATE INDEX reminder_by_time ON reminder (family_id, remind_at, id, status);
    CREATE INDEX reminder_due ON reminder (family_id, due_position) WHERE status = 1;
    CREATE INDEX reminder_scheduled ON reminder (remind_at) WHERE status = 0;

    CREATE TABLE one_time_token (
      hash bytea PRIMARY KEY NOT NULL,
      purpose bigint NOT NULL,
      subject_id bigint NOT NULL,
      family_id bigint,
      email_key text COLLATE "C",
      expires_at bigint NOT NULL,
      issued_by bigint
    );
    CREATE INDEX one_time_token_by_expiry ON one_time_token (expires_at);
    CREATE INDEX one_time_token_by_subject ON one_time_token (subject_id, purpose);

    CREATE TABLE mail (
      id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      kind bigint NOT NULL,
      person_id bigint,
      address text COLLATE "C",
      subject_id bigint,
      created_at bigint NOT NULL,
      attempts bigint NOT NULL DEFAULT 0,
      due_at bigint,
      sent_at bigint,
      failed_at bigint,
      urgency bigint NOT NULL DEFAULT 0,
      network bigint NOT NULL DEFAULT 0,
      sender bigint NOT NULL DEFAULT 0,
      turn bigint,
      sender_turn bigint
    );
    CREATE INDEX mail_done ON mail (created_at) WHERE due_at IS NULL;
    CREATE INDEX mail_invitations ON mail (person_id) WHERE kind IN (4, 5) AND due_at IS NOT NULL;
    CREATE INDEX mail_networks ON mail (urgency, network, turn) WHERE turn IS NOT NULL;
    CREATE INDEX mail_retries ON mail (urgency, due_at) WHERE turn IS NULL AND due_at IS NOT NULL;
    CREATE INDEX mail_sender_turns ON mail (urgency, network, sender_turn) WHERE turn IS NOT NULL;
    CREATE INDEX mail_senders ON mail (urgency, network, sender, sender_turn) WHERE turn IS NOT NULL;
    CREATE INDEX mail_turns ON mail (urgency, turn) WHERE turn IS NOT NULL;

    CREATE TABLE picture (
      id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      hash bytea NOT NULL UNIQUE,
      format bigint NOT NULL,
      width bigint NOT NULL,
      height bigint NOT NULL,
      byte_count bigint NOT NULL,
      uses bigint NOT NULL DEFAULT 0,
      thumb_hash bytea
    );
    CREATE INDEX picture_unused ON picture (uses) WHERE uses = 0;

    CREATE TABLE picture_content (
      picture_id bigint PRIMARY KEY REFERENCES picture (id) ON DELETE CASCADE DEFERRABLE,
      content bytea NOT NULL
    );
    -- Pictures are compressed already.
    ALTER TABLE picture_content ALTER COLUMN content SET STORAGE EXTERNAL;

    CREATE TABLE identity (
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      provider bigint NOT NULL,
      subject text COLLATE "C" NOT NULL,
      email text COLLATE "C",
      linked_at bigint NOT NULL,
      PRIMARY KEY (person_id, provider)
    );
    CREATE UNIQUE INDEX identity_by_subject ON identity (provider, subject);

    CREATE TABLE contact_info (
      person_id bigint NOT NULL REFERENCES person (id) DEFERRABLE,
      scope bigint NOT NULL CHECK (scope BETWEEN 0 AND 2),
      kind bigint NOT NULL CHECK (kind BETWEEN 0 AND 2),
      id bigint NOT NULL UNIQUE,
      label text COLLATE "C",
      is_primary bigint NOT NULL,
      value text COLLATE "C" NOT NULL,
      match_key text COLLATE "C",
      country_code text COLLATE "C",
      extension text COLLATE "C",
      line2 text COLLATE "C",
      city text COLLATE "C",
      region text COLLATE "C",
      postal_code text COLLATE "C",
      country text COLLATE "C",
      formatted text COLLATE "C",
      PRIMARY KEY (person_id, scope, kind, id)
    );
    CREATE INDEX contact_info_by_key ON contact_info (match_key, person_id) WHERE match_key IS NOT NULL;
    CREATE UNIQUE INDEX contact_info_primary ON contact_info (person_id, scope, kind) WHERE is_primary = 1;
    """
}
