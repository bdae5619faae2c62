import GraphQL
import Storage

/// The viewer's notifications, newest first.
enum NotificationPages {
  static let order = ListOrder(values: 0, kinds: Notifications.kinds)

  static let all = KeysetList<GlobalID>(
    "notification",
    where: "recipient_id = \(\.self)",
    order: .newestFirst,
    count: countOfAll
  )
  static let unread = KeysetList<GlobalID>(
    "notification",
    index: "notification_unread",
    where: "recipient_id = \(\.self) AND read_at IS NULL",
    order: .newestFirst,
    count: countOfUnread
  )
  static let countOfChild = SQL<GlobalID>("SELECT count(*) FROM notification WHERE recipient_id = \(\.self)")
  static let countOfUnreadOfChild = SQL<GlobalID>(
    """
    SELECT count(*) FROM notification \(index: "notification_unread") \
    WHERE recipient_id = \(\.self) AND read_at IS NULL
    """
  )
  /// The counts of adults are maintained by triggers, because a list can have 100,000 entries.
  static let countOfAll = SQL<GlobalID>("SELECT notification_count FROM account WHERE id = \(\.self)")
  static let countOfUnread = SQL<GlobalID>("SELECT unread_count FROM account WHERE id = \(\.self)")

  static func page(_ pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    let unreadOnly = pageQuery.arguments["unreadOnly"]?.boolean == true
    let list = unreadOnly ? unread : all
    let count = unreadOnly ? countOfUnreadOfChild : countOfChild
    return try list.page(viewer.member, pageQuery: pageQuery, in: context, countedBy: viewer.isChild ? count : nil)
  }

  /// Nil for everybody but the child itself.
  static func ofChild(_ child: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page? {
    context.viewer?.member == child ? try page(pageQuery, in: context) : nil
  }

  /// Null for everybody but the child itself.
  static let unreadCountOfChild = FieldBinding.leaf(needs: []) { child in
    let context = request(child.context)
    guard let viewer = context.viewer, viewer.member.rawValue == child.key else { return .null }
    return LeafValue(try context.reader.first(of: countOfUnreadOfChild, viewer.member) { row in row.int64(0) })
  }
}
