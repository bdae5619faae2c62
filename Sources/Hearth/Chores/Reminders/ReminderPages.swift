import GraphQL
import Storage

/// The reminders of a family, the earliest first.
enum ReminderPages {
  static let order = ListOrder(values: 1, kind: .reminder)
  /// `statuses` is a bit set of the requested statuses.
  static let list = KeysetList<(family: GlobalID, statuses: Int64)>(
    .reminder,
    of: \.family,
    index: "reminder_by_time",
    and: "(\(\.statuses) >> CAST(status AS INTEGER)) & 1 = 1",
    order: .by("remind_at")
  )

  static func ofFamily(_ family: GlobalID, pageQuery asked: PageQuery, in context: RequestContext) throws -> Page {
    guard family == context.family else { return Page() }
    return try list.page((family: family, statuses: statuses(asked.arguments)), pageQuery: asked, in: context)
  }

  /// The requested statuses as a bit set; all of them when the argument is absent.
  private static func statuses(_ arguments: Arguments) -> Int64 {
    guard let named = arguments["statuses"]?.list ?? arguments["status"]?.list else { return -1 }
    return named.compactMap { $0.string.flatMap(ReminderStatus.init) }.reduce(0) { $0 | 1 << $1.stored }
  }
}
