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
  /// Maintained by triggers, because a list can have 100,000 entries.
  static let countOfAll = SQL<GlobalID>("SELECT notification_count FROM account WHERE id = \(\.self)")
  static let countOfUnread = SQL<GlobalID>("SELECT unread_count FROM account WHERE id = \(\.self)")

  static func page(_ pageQuery: PageQuery, _ context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    let list = pageQuery.arguments["unreadOnly"]?.boolean == true ? unread : all
    return try list.page(viewer.member, pageQuery, context)
  }
}
