import Storage

/// A row of `push`: a notification that is sent to a device. It stores only the recipient, the kind and the subject.
/// The text is composed when it is sent.
struct Push: Sendable {
  var id: Int64 = 0
  var device: GlobalID
  var channel: PushChannel
  var recipient: GlobalID
  /// A notification, or a reminder of a child.
  var subject: GlobalID
  var createdAt: Timestamp
  var attempts: Int64 = 0
  /// When to send it, or to try again. Nil when it has failed.
  var dueAt: Timestamp?
  var failedAt: Timestamp?
  var failure: String?

  static let table = Table<Push>(
    "push",
    [
      Column(assigned: "id", \.id),
      Column("device_id", \.device),
      Column("kind", \.channel),
      Column("recipient_id", \.recipient),
      Column("subject_id", \.subject),
      Column("created_at", \.createdAt),
      Column("attempts", \.attempts),
      Column("due_at", \.dueAt),
      Column("failed_at", \.failedAt),
      Column("failure", \.failure),
    ]
  )
}
