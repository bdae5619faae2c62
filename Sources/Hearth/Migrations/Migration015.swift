import Storage

extension Migration {
  /// The order in which mail is sent: by urgency, and fairly between networks and senders. See `MailLane`.
  static let mailLanes = Migration(
    15,
    name: "mail lanes",
    sql: """
      -- 0: what the recipient requested. 1: invitations.
      ALTER TABLE mail ADD COLUMN urgency INTEGER NOT NULL DEFAULT 0;
      -- Hashes of the network that requested it, and of the person or mailbox.
      ALTER TABLE mail ADD COLUMN network INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE mail ADD COLUMN sender INTEGER NOT NULL DEFAULT 0;
      -- When it is its network's turn, and within the network its sender's, as counted by `MailTurn`. NULL for a mail that is
      -- done, or that is to be tried again at `due_at`.
      ALTER TABLE mail ADD COLUMN turn INTEGER;
      ALTER TABLE mail ADD COLUMN sender_turn INTEGER;
      UPDATE mail SET urgency = kind IN (4, 5), sender = coalesce(person_id, id) WHERE due_at IS NOT NULL;
      CREATE INDEX mail_turns ON mail (urgency, turn) WHERE turn IS NOT NULL;
      CREATE INDEX mail_networks ON mail (urgency, network, turn) WHERE turn IS NOT NULL;
      CREATE INDEX mail_sender_turns ON mail (urgency, network, sender_turn) WHERE turn IS NOT NULL;
      CREATE INDEX mail_senders ON mail (urgency, network, sender, sender_turn) WHERE turn IS NOT NULL;
      CREATE INDEX mail_retries ON mail (urgency, due_at) WHERE turn IS NULL AND due_at IS NOT NULL;
      CREATE INDEX mail_invitations ON mail (person_id) WHERE kind IN (4, 5) AND due_at IS NOT NULL;
      DROP INDEX mail_due;
      """
  )
}
