import Storage

/// A row of `notification`. The kind of its key is the type of the notification.
struct NotificationRow: Sendable {
  /// An adult or a child.
  var recipient: GlobalID
  var id: GlobalID
  /// The member who caused the notification.
  var actor: GlobalID?
  /// What the notification is about: a request, a group, a reminder, a person, a chore or an entry of the ledger.
  var subject: GlobalID?
  var createdAt: Timestamp
  var readAt: Timestamp?
  /// In the feed of the recipient's family.
  var position: Int64 = 0

  static let table = Table<NotificationRow>(
    "notification",
    [
      Column("recipient_id", \.recipient),
      Column("id", \.id),
      Column("actor_id", \.actor),
      Column("subject_id", \.subject),
      Column("created_at", \.createdAt),
      Column("read_at", \.readAt),
      Column("position", \.position),
    ]
  )

  /// Inserts a row whose position is that of a place.
  static let insert: SQL<(row: NotificationRow, place: FeedPlace)> = NotificationRow.table.insert(
    \.row,
    setting: \.position,
    to: FeedPlace.position,
    of: \.place
  )
}
