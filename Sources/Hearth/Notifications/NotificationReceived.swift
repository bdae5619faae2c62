import GraphQL
import Storage

/// `notificationReceived`. A notification's position is the number of its key.
enum NotificationReceived {
  /// How many are read at once for somebody who was away.
  private static let maximumAtOnce: Int64 = 32

  static let kept = SQL<(recipient: GlobalID, after: GlobalID, limit: Int64)>(
    """
    SELECT id FROM notification WHERE recipient_id = \(\.recipient) AND id > \(\.after) ORDER BY id LIMIT \(\.limit)
    """
  )

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
      after = try number(ofNotification: id, viewer, context)
    } else {
      after = try FeedPosition.latest(context)
    }
    return SourceStream(topic(of: viewer.member), visibility: context.standpoint, after: after) { position, any in
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

  /// Another's notification is as one that there is not.
  private static func number(ofNotification id: String, _ viewer: Viewer, _ context: RequestContext) throws -> Int64 {
    let key = context.services.cipher.key(of: id)
    guard let key, try MarkNotificationsRead.exists(key, for: viewer.member, context.reader) else {
      throw FieldError("`after` must be the id of a notification of yours.", code: .badUserInput)
    }
    return key.number
  }

  private static func topic(of member: GlobalID) -> Topic { Topic("notifications", member.rawValue) }

  /// It was written with this write.
  static func tell(_ notification: GlobalID, to recipient: GlobalID, _ transaction: WriteTransaction) {
    transaction.publish(
      Feed.News(topic: topic(of: recipient), event: SourceEvent(notification, position: notification.number))
    )
  }
}
