import Storage

/// A row of `notification`. The key says of which kind it is.
struct NotificationRow: Sendable {
  var recipient: GlobalID
  var id: GlobalID
  /// The member who did what the recipient is notified of.
  var actor: GlobalID?
  /// What it was done to: a request, a group, a reminder, a person.
  var subject: GlobalID?
  var createdAt: Timestamp
  var readAt: Timestamp?

  static let table = Table<NotificationRow>(
    "notification",
    [
      Column("recipient_id", \.recipient),
      Column("id", \.id),
      Column("actor_id", \.actor),
      Column("subject_id", \.subject),
      Column("created_at", \.createdAt),
      Column("read_at", \.readAt),
    ]
  )
}
