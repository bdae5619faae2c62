import GraphQL
import Storage

/// The viewer's notifications, newest first.
enum NotificationPages {
  static let order = ListOrder(values: 0, kinds: NotificationKind.allCases.map(\.keyKind))

  static let all = KeysetList<GlobalID>(
    .notification,
    of: \.self,
    order: .newestFirst,
    count: countOfAll
  )
  static let unread = KeysetList<GlobalID>(
    .notification,
    of: \.self,
    index: "notification_unread",
    where: "read_at IS NULL",
    order: .newestFirst,
    count: countOfUnread
  )
  static let countOfChild = SQL<GlobalID>("SELECT count(*) FROM \(rows: .notification, of: \.self) AS n")
  static let countOfUnreadOfChild = SQL<GlobalID>(
    """
    SELECT count(*) FROM \(rows: .notification, of: \.self, index: "notification_unread") AS n \
    WHERE read_at IS NULL
    """
  )
  /// The counts of adults are maintained by triggers, because a list can have 100,000 entries.
  static let countOfAll = SQL<GlobalID>("SELECT a.notification_count FROM \(rows: .account, of: \.self) AS a")
  static let countOfUnread = SQL<GlobalID>("SELECT a.unread_count FROM \(rows: .account, of: \.self) AS a")

  static func page(_ pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.member else { return Page() }
    let unreadOnly = pageQuery.arguments["unreadOnly"]?.boolean == true
    let list = unreadOnly ? unread : all
    let count = unreadOnly ? countOfUnreadOfChild : countOfChild
    return try list.page(viewer, pageQuery: pageQuery, in: context, countedBy: viewer.kind == .child ? count : nil)
  }

  /// Nil for everybody but the child itself.
  static func ofChild(_ child: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page? {
    context.member == child ? try page(pageQuery, in: context) : nil
  }

  /// Null for everybody but the child itself.
  static let unreadCountOfChild = FieldBinding.leaf(needs: []) { child in
    let context = request(child.context)
    guard let viewer = context.member, viewer.rawValue == child.key else { return .null }
    return LeafValue(try context.reader.number(of: countOfUnreadOfChild, viewer))
  }
}
