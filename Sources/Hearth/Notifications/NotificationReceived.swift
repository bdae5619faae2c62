import GraphQL
import Storage

/// `notificationReceived`. A notification's position is the number of its key.
enum NotificationReceived {
  /// How many are read at once for somebody who was away.
  private static let maximumAtOnce: Int64 = 32

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
      after = try number(ofNotification: id, viewer, context)
    } else {
      after = try FeedPosition.latest(context)
    }
    return SourceStream(topic(of: viewer.member), visibility: context.standpoint, after: after) { position, any in
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

  /// Another's notification is as one that there is not.
  private static func number(ofNotification id: String, _ viewer: Viewer, _ context: RequestContext) throws -> Int64 {
    let key = context.services.cipher.key(of: id)
    let finding = try context.reader.statement(MarkNotificationsRead.exists)
    try finding.bind(1, viewer.member.rawValue)
    try finding.bind(2, key?.rawValue ?? 0)
    guard let key, try finding.first({ _ in true }) == true else {
      throw FieldError("`after` must be the id of a notification of yours.", code: .badUserInput)
    }
    return key.number
  }

  private static func topic(of member: GlobalID) -> Topic { Topic("notifications", member.rawValue) }

  /// It was written with this write.
  static func tell(_ notification: GlobalID, to recipient: GlobalID, _ transaction: WriteTransaction) {
    transaction.tell(
      Feed.News(topic: topic(of: recipient), event: SourceEvent(notification, position: notification.number))
    )
  }
}
