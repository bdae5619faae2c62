import Storage

/// A row of `mail`. It stores only what the mail is about. The text, and the secret that it contains, are generated
/// when the mail is sent.
struct Mail: Sendable {
  var id: Int64 = 0
  var kind: MailKind
  /// The recipient, or the person on whose behalf the mail goes to `address`.
  var person: GlobalID?
  /// The recipient's address, if it may not belong to an account.
  var address: String?
  var subject: GlobalID?
  var createdAt: Timestamp
  var attempts: Int64 = 0
  /// When to send the mail, or to try again. Nil when the mail is done.
  var dueAt: Timestamp?
  var sentAt: Timestamp?
  /// When a server rejected the mail permanently, or when it could not be sent for days.
  var failedAt: Timestamp?
  var urgency: MailUrgency
  /// The lane in which the mail waits: see `MailLane`.
  var network: Int64
  var sender: Int64
  /// The mail's turn in the queue: see `MailTurn`. Nil for a mail that is done, or that is tried again at `dueAt`.
  var turn: Int64?
  var senderTurn: Int64?

  static let table = Table<Mail>(
    "mail",
    [
      Column(assigned: "id", \.id),
      Column("kind", \.kind),
      Column("person_id", \.person),
      Column("address", \.address),
      Column("subject_id", \.subject),
      Column("created_at", \.createdAt),
      Column("attempts", \.attempts),
      Column("due_at", \.dueAt),
      Column("sent_at", \.sentAt),
      Column("failed_at", \.failedAt),
      Column("urgency", \.urgency),
      Column("network", \.network),
      Column("sender", \.sender),
      Column("turn", \.turn),
      Column("sender_turn", \.senderTurn),
    ]
  )
}
