import GraphQL
import Storage

/// `notificationReceived`. Notifications have positions of the recipient's family (`FeedCounter`).
enum NotificationReceived {
  /// The page size of the backlog.
  private static let maximumAtOnce: Int64 = 32

  static let kept = SQL<(recipient: GlobalID, after: Int64, limit: Int64)>(
    """
    SELECT id, position FROM notification \(index: "notification_by_position") \
    WHERE recipient_id = \(\.recipient) AND position > \(\.after) ORDER BY position LIMIT \(\.limit)
    """
  )
  static let position = SQL<(recipient: GlobalID, notification: GlobalID)>(
    "SELECT position FROM notification WHERE recipient_id = \(\.recipient) AND id = \(\.notification)"
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
      after = try FeedPosition.read(resume, for: viewer, in: context)
    } else if let id = arguments["after"]?.string {
      after = try position(ofNotification: id, for: viewer, in: context)
    } else {
      after = try FeedPosition.latest(for: viewer, in: context)
    }
    let topic = topic(of: viewer.member, in: viewer.family)
    return SourceStream(topic, visibility: context.visibility, caller: viewer.session, after: after) { position, any in
      let after = position ?? after
      let events = try request(any).reader.all(
        of: kept,
        (recipient: viewer.member, after: after, limit: maximumAtOnce)
      ) { row in SourceEvent(row.key(0), position: row.int64(1)) }
      return SourceBacklog(events, reached: events.last?.position ?? after)
    }
  }

  /// Notifications of other people are reported like missing ones.
  private static func position(
    ofNotification id: String,
    for viewer: Viewer,
    in context: RequestContext
  ) throws -> Int64 {
    let found = try context.cipher.key(of: id).flatMap { key in
      let parameters = (recipient: viewer.member, notification: key)
      return try context.reader.number(of: position, parameters)
    }
    guard let found else {
      throw FieldError("`after` must be the id of one of your notifications.", code: .badUserInput)
    }
    return found
  }

  static let topicName = "notifications"

  private static func topic(of member: GlobalID, in family: GlobalID) -> Topic {
    Topic(topicName, key: member.rawValue, log: family.rawValue)
  }

  static func publication(
    of notification: GlobalID,
    for recipient: GlobalID,
    in family: GlobalID,
    position: Int64
  ) -> Feed.Publication {
    Feed.Publication(topic: topic(of: recipient, in: family), event: SourceEvent(notification, position: position))
  }

  /// The next notifications of the topic's member after a position.
  @Sendable static func entries(
    of topic: Topic,
    in _: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    from reader: Reader
  ) throws -> [[FeedReading.Entry]] {
    let recipient = GlobalID(rawValue: topic.key)
    let entries: [FeedReading.Entry] = try reader.all(
      of: kept,
      (recipient: recipient, after: position, limit: limit)
    ) { row in
      let event = SourceEvent(row.key(0), position: row.int64(1))
      return (row.int64(1), [Feed.Publication(topic: topic, event: event)])
    }
    return [entries]
  }
}
