import Storage

extension Migration {
  /// Devices that receive notifications outside of the app, the queue of what is sent to them, and what their members
  /// want to receive.
  static let pushes = Migration(
    25,
    name: "pushes",
    sql: """
      -- Where a member receives notifications. A device ends with the session that registered it.
      CREATE TABLE device (
        id INTEGER PRIMARY KEY,
        -- 0 for the operator's webhook, which receives what all members receive.
        member_id INTEGER NOT NULL,
        session_id INTEGER REFERENCES session (id) ON DELETE CASCADE,
        -- 0 Web Push, 1 Apple, 2 Google, 3 the operator's webhook: PushChannel.
        kind INTEGER NOT NULL,
        -- The URL of a push subscription, or the token of a push service.
        address TEXT NOT NULL,
        -- Of Web Push: the public key of the subscription, and its authentication secret.
        secret BLOB,
        -- Whether it belongs to Apple's test environment.
        is_sandbox INTEGER NOT NULL DEFAULT 0,
        name TEXT,
        created_at INTEGER NOT NULL,
        -- The number of its rows of push, kept by triggers.
        queued INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE UNIQUE INDEX device_by_address ON device (kind, address);
      CREATE INDEX device_by_member ON device (member_id, id);
      CREATE INDEX device_by_session ON device (session_id);

      -- The queue: what is sent to a device.
      CREATE TABLE push (
        id INTEGER PRIMARY KEY,
        device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
        -- That of the device.
        kind INTEGER NOT NULL,
        recipient_id INTEGER NOT NULL,
        -- A notification, or a reminder of a child.
        subject_id INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        -- When to send it, or to try again. NULL when it has failed.
        due_at INTEGER,
        failed_at INTEGER,
        failure TEXT
      ) STRICT;
      CREATE INDEX push_due ON push (kind, due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX push_failed ON push (failed_at) WHERE failed_at IS NOT NULL;
      CREATE INDEX push_by_device ON push (device_id, id);
      CREATE INDEX push_by_recipient ON push (recipient_id);

      CREATE TRIGGER push_added AFTER INSERT ON push BEGIN
        UPDATE device SET queued = queued + 1 WHERE id = NEW.device_id;
      END;
      CREATE TRIGGER push_removed AFTER DELETE ON push BEGIN
        UPDATE device SET queued = queued - 1 WHERE id = OLD.device_id;
      END;

      -- What a member is notified of. Without a row, of everything and at any time.
      CREATE TABLE notification_setting (
        member_id INTEGER PRIMARY KEY,
        -- A bit for each NotificationKind.
        muted INTEGER NOT NULL DEFAULT 0,
        -- Minutes after midnight in the family's time zone. NULL without quiet hours.
        quiet_from INTEGER,
        quiet_until INTEGER,
        quiet_reminders INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      CREATE INDEX child_by_id ON child (id);
      """
  )
}
