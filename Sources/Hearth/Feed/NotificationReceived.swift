import GraphQL
import Storage

/// `notificationReceived`. A notification's position is the number of its key.
enum NotificationReceived {
  /// How many are read at once for somebody who was away.
  private static let maximumAtOnce: Int64 = 100

  /// Parameters: 1 the recipient, 2 the key after which, 3 how many.
  static let kept = SQL("SELECT id FROM notification WHERE recipient_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3")

  static let field = FieldBinding.load(needs: []) { batch, context in
    guard let notification: GlobalID = batch.view(0, context).value() else { return }
    batch.add(0, key: notification.rawValue)
  }

  /// Where a client left off on its connection counts for more than the argument that it began with.
  static let source: SourceBinding = { arguments, resume, any in
    let context = request(any)
    let viewer = try context.requireParent()
    let after: Int64
    if let resume {
      after = try FeedPosition.read(resume, context)
    } else if let id = arguments["after"]?.string {
      guard let key = context.services.cipher.key(of: id), let kind = key.kind, Notifications.kinds.contains(kind)
      else {
        throw FieldError("`after` must be a notification's id.", code: .badUserInput)
      }
      after = key.number
    } else {
      after = try FeedPosition.latest(context)
    }
    return SourceStream(topic(of: viewer.member), visibility: viewer.member, after: after) { position, any in
      let after = position ?? after
      let statement = try request(any).reader.statement(kept)
      try statement.bind(1, viewer.member.rawValue)
      try statement.bind(2, GlobalID.last(ofNumber: after).rawValue)
      try statement.bind(3, maximumAtOnce)
      var events: [SourceEvent] = []
      try statement.forEachRow { row in
        let key = GlobalID(rawValue: row.int64(0))
        events.append(SourceEvent(key, position: key.number))
      }
      return SourceBacklog(events, reached: events.last?.position ?? after)
    }
  }

  private static func topic(of member: GlobalID) -> Topic { Topic("notifications", member.rawValue) }

  /// It was written with this write.
  static func tell(_ notification: GlobalID, to recipient: GlobalID, _ transaction: WriteTransaction) {
    transaction.tell(
      Feed.News(topic: topic(of: recipient), event: SourceEvent(notification, position: notification.number))
    )
  }
}
