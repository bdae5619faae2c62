import Storage

extension Migration {
  /// The contact book: public profiles, contact details, requests and contacts, groups, notifications.
  ///
  /// - Scopes are bits in the order of the cases of `Scope`: 1 work, 2 school, 4 personal.
  /// - A list that can be long has an index in its order, and triggers maintain its count. A page therefore costs only
  ///   the rows that it contains, wherever it starts.
  /// - `name_key` is the name in the order of address books (`NameOrder`). It is repeated in every list of people that
  ///   is sorted by it, and updated by the write that changes the name. For existing people it considers ASCII letters
  ///   only, until they change their name.
  static let contactBook = Migration(
    7,
    name: "contact book",
    sql: """
      -- What everybody may see, beside the name. Lists have an entry a line.
      ALTER TABLE person ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
      ALTER TABLE person ADD COLUMN current_city TEXT;
      ALTER TABLE person ADD COLUMN hometown TEXT;
      ALTER TABLE person ADD COLUMN company TEXT;
      ALTER TABLE person ADD COLUMN high_schools TEXT;
      ALTER TABLE person ADD COLUMN colleges TEXT;
      ALTER TABLE person ADD COLUMN social_media TEXT;
      UPDATE person SET name_key = ' ' || lower(name) || char(1) || name;

      -- The number as it is compared (E.164); NULL where what was written is none, and where it was written before this.
      ALTER TABLE account ADD COLUMN phone_key TEXT;
      CREATE INDEX account_by_phone ON account (phone_key) WHERE phone_key IS NOT NULL;
      -- Kept by the triggers below.
      ALTER TABLE account ADD COLUMN contact_count INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE account ADD COLUMN notification_count INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE account ADD COLUMN unread_count INTEGER NOT NULL DEFAULT 0;

      -- Ways to reach somebody, in the order in which they are listed.
      CREATE TABLE contact_info (
        person_id INTEGER NOT NULL REFERENCES person (id),
        scope INTEGER NOT NULL CHECK (scope BETWEEN 0 AND 2),
        kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2), -- 0 e-mail, 1 phone, 2 address
        id INTEGER NOT NULL UNIQUE,
        label TEXT,
        is_primary INTEGER NOT NULL,
        -- The e-mail address, the number in E.164, the first line of the address.
        value TEXT NOT NULL,
        -- By which an address or a number is found: in lower case, in E.164. NULL for postal addresses.
        match_key TEXT,
        -- Of a phone number.
        country_code TEXT,
        extension TEXT,
        -- Of a postal address.
        line2 TEXT,
        city TEXT,
        region TEXT,
        postal_code TEXT,
        country TEXT,
        -- Of a phone number: as it is shown.
        formatted TEXT,
        PRIMARY KEY (person_id, scope, kind, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX contact_info_by_key ON contact_info (match_key, person_id) WHERE match_key IS NOT NULL;
      CREATE UNIQUE INDEX contact_info_primary ON contact_info (person_id, scope, kind) WHERE is_primary;

      -- A person in somebody's address book. There are two for each pair, one in each one's book, made and removed by the
      -- same write; what a person sees of the other is in the other's.
      CREATE TABLE contact (
        owner_id INTEGER NOT NULL REFERENCES person (id),
        id INTEGER NOT NULL,
        person_id INTEGER NOT NULL REFERENCES person (id),
        -- Of the person.
        name_key TEXT NOT NULL,
        -- What the owner shares with the person: bits.
        sharing INTEGER NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (owner_id, id),
        CHECK (owner_id <> person_id)
      ) STRICT, WITHOUT ROWID;
      -- What somebody shares with somebody, without a look at the row.
      CREATE INDEX contact_by_person ON contact (owner_id, person_id, sharing);
      CREATE UNIQUE INDEX contact_pair ON contact (person_id, owner_id);
      CREATE INDEX contact_by_name ON contact (owner_id, name_key, id);
      CREATE TRIGGER contact_added AFTER INSERT ON contact BEGIN
        UPDATE account SET contact_count = contact_count + 1 WHERE id = NEW.owner_id;
      END;
      CREATE TRIGGER contact_removed AFTER DELETE ON contact BEGIN
        UPDATE account SET contact_count = contact_count - 1 WHERE id = OLD.owner_id;
      END;

      -- Requests that nobody has answered; those that were are gone.
      CREATE TABLE contact_request (
        id INTEGER PRIMARY KEY,
        from_id INTEGER NOT NULL REFERENCES person (id),
        -- NULL as long as nobody has shown that the invited address is theirs.
        to_id INTEGER REFERENCES person (id),
        offered INTEGER NOT NULL,
        requested INTEGER NOT NULL,
        message TEXT,
        invited_email TEXT,
        -- The address as it is compared.
        invited_key TEXT,
        created_at INTEGER NOT NULL,
        CHECK (to_id IS NOT NULL OR invited_key IS NOT NULL),
        CHECK (from_id IS NOT to_id)
      ) STRICT;
      -- Between two people there is one at most, whoever asked.
      CREATE UNIQUE INDEX contact_request_pair
        ON contact_request (min(from_id, to_id), max(from_id, to_id)) WHERE to_id IS NOT NULL;
      CREATE UNIQUE INDEX contact_request_invitation
        ON contact_request (invited_key, from_id) WHERE to_id IS NULL;
      CREATE INDEX contact_request_incoming ON contact_request (to_id, id) WHERE to_id IS NOT NULL;
      CREATE INDEX contact_request_outgoing ON contact_request (from_id, id);

      CREATE TABLE person_group (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        description TEXT,
        hometown TEXT,
        -- What members share with one another: bits.
        sharing INTEGER NOT NULL,
        -- Without those who are only invited. Kept by the triggers below.
        member_count INTEGER NOT NULL DEFAULT 0,
        created_by INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;

      CREATE TABLE group_member (
        group_id INTEGER NOT NULL REFERENCES person_group (id) ON DELETE CASCADE,
        person_id INTEGER NOT NULL REFERENCES person (id),
        role INTEGER NOT NULL CHECK (role BETWEEN 0 AND 2), -- 0 admin, 1 member, 2 invited
        -- Of the person.
        name_key TEXT NOT NULL,
        invited_by INTEGER,
        -- NULL for who is only invited.
        joined_at INTEGER,
        PRIMARY KEY (group_id, person_id),
        CHECK ((role = 2) = (joined_at IS NULL))
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX group_member_by_name ON group_member (group_id, name_key, person_id, role) WHERE role < 2;
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

      -- What somebody is told of. The key says of what kind it is.
      CREATE TABLE notification (
        recipient_id INTEGER NOT NULL REFERENCES person (id),
        id INTEGER NOT NULL,
        -- Who did it, and to what: a request, a group, a reminder.
        actor_id INTEGER,
        subject_id INTEGER,
        created_at INTEGER NOT NULL,
        read_at INTEGER,
        PRIMARY KEY (recipient_id, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX notification_unread ON notification (recipient_id, id) WHERE read_at IS NULL;
      CREATE TRIGGER notification_added AFTER INSERT ON notification BEGIN
        UPDATE account SET notification_count = notification_count + 1,
          unread_count = unread_count + (NEW.read_at IS NULL) WHERE id = NEW.recipient_id;
      END;
      CREATE TRIGGER notification_removed AFTER DELETE ON notification BEGIN
        UPDATE account SET notification_count = notification_count - 1,
          unread_count = unread_count - (OLD.read_at IS NULL) WHERE id = OLD.recipient_id;
      END;
      CREATE TRIGGER notification_read AFTER UPDATE OF read_at ON notification
        WHEN (NEW.read_at IS NULL) <> (OLD.read_at IS NULL)
      BEGIN
        UPDATE account SET unread_count = unread_count + iif(NEW.read_at IS NULL, 1, -1) WHERE id = NEW.recipient_id;
      END;
      """
  )
}
