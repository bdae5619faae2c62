import GraphQL
import Storage

/// `notificationReceived`. The feed position of a notification is the number of its key.
enum NotificationReceived {
  /// The page size of the backlog.
  private static let maximumAtOnce: Int64 = 32

  static let kept = SQL<(recipient: GlobalID, after: GlobalID, limit: Int64)>(
    """
    SELECT id FROM notification WHERE recipient_id = \(\.recipient) AND id > \(\.after) ORDER BY id LIMIT \(\.limit)
    """
  )

  static let field = FieldBinding.load(needs: []) { batch, context in
    guard let notification: GlobalID = batch.view(0, in: context).value() else { return }
    batch.add(0, key: notification.rawValue)
  }

  /// The resume position of the client's connection takes precedence over the argument, which is older.
  static let source: SourceBinding = { arguments, resume, any in
    let context = request(any)
    let viewer = try context.requireViewer()
    let after: Int64
    if let resume {
      after = try FeedPosition.read(resume, in: context)
    } else if let id = arguments["after"]?.string {
      after = try number(ofNotification: id, for: viewer, in: context)
    } else {
      after = try FeedPosition.latest(context)
    }
    return SourceStream(topic(of: viewer.member), visibility: context.visibility, after: after) { position, any in
      let after = position ?? after
      let events = try request(any).reader.all(
        of: kept,
        (recipient: viewer.member, after: GlobalID.last(ofNumber: after), limit: maximumAtOnce)
      ) { row in
        let key = GlobalID(rawValue: row.int64(0))
        return SourceEvent(key, position: key.number)
      }
      return SourceBacklog(events, reached: events.last?.position ?? after)
    }
  }

  /// Notifications of other people are reported like missing ones.
  private static func number(ofNotification id: String, for viewer: Viewer, in context: RequestContext) throws -> Int64
  {
    let key = context.services.cipher.key(of: id)
    guard let key, try MarkNotificationsRead.exists(key, for: viewer.member, from: context.reader) else {
      throw FieldError("`after` must be the id of one of your notifications.", code: .badUserInput)
    }
    return key.number
  }

  private static func topic(of member: GlobalID) -> Topic { Topic("notifications", key: member.rawValue) }

  /// Publishes a notification that the same transaction inserted.
  static func publish(_ notification: GlobalID, to recipient: GlobalID, in transaction: WriteTransaction) {
    transaction.publish(
      Feed.Publication(topic: topic(of: recipient), event: SourceEvent(notification, position: notification.number))
    )
  }
}
