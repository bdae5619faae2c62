import GraphQL
import Storage

/// What the viewer is told of, the newest first.
enum NotificationPages {
  static let order = ListOrder(values: 0, kinds: Notifications.kinds)

  /// Parameters: 1 the viewer, 3 how many, 4 the key after which.
  private static let every = "FROM notification WHERE recipient_id = ?1"
  private static let new =
    "FROM notification INDEXED BY notification_unread WHERE recipient_id = ?1 AND read_at IS NULL"

  static let all = SQL("SELECT id \(every) ORDER BY id DESC LIMIT ?3")
  static let allAfter = SQL("SELECT id \(every) AND id < ?4 ORDER BY id DESC LIMIT ?3")
  static let allCount = SQL("SELECT notification_count FROM account WHERE id = ?1")
  static let unread = SQL("SELECT id \(new) ORDER BY id DESC LIMIT ?3")
  static let unreadAfter = SQL("SELECT id \(new) AND id < ?4 ORDER BY id DESC LIMIT ?3")
  static let unreadCount = SQL("SELECT unread_count FROM account WHERE id = ?1")

  static func page(_ asked: PageQuery, _ context: RequestContext) throws -> Page {
    asked.arguments["unreadOnly"]?.boolean == true
      ? try ViewersList(first: unread, after: unreadAfter, count: unreadCount).page(asked, context)
      : try ViewersList(first: all, after: allAfter, count: allCount).page(asked, context)
  }
}
