import GraphQL
import Storage

/// `markNotificationsRead`: those that are named, or all that there are at this moment.
enum MarkNotificationsRead {
  static let maximumNamed = 1_000
  /// How many one write marks, so that others do not wait long for theirs.
  static let maximumAtOnce = 5_000

  static let newest = SQL("SELECT id FROM notification WHERE recipient_id = ?1 ORDER BY id DESC LIMIT 1")
  static let exists = SQL("SELECT 1 FROM notification WHERE recipient_id = ?1 AND id = ?2")
  static let markOne = SQL(
    "UPDATE notification SET read_at = ifnull(read_at, ?3) WHERE recipient_id = ?1 AND id = ?2"
  )
  static let markSome = SQL(
    """
    UPDATE notification SET read_at = ?2 WHERE recipient_id = ?1 AND id IN (\
    SELECT id FROM notification INDEXED BY notification_unread \
    WHERE recipient_id = ?1 AND read_at IS NULL AND id <= ?3 LIMIT \(maximumAtOnce))
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    if let ids = arguments["ids"], !ids.isNull {
      try await mark(ids.list ?? [], viewer, context)
    } else {
      try await markAll(viewer, context)
    }
    return Payload(["account": [viewer.member.viewed(as: .account)]])
  }

  private static func mark(_ ids: [InputValue], _ viewer: Viewer, _ context: RequestContext) async throws {
    guard ids.count <= maximumNamed else {
      throw Refused(["ids"], .tooLong, "There can be \(maximumNamed) ids at most: without any, all are marked.")
    }
    let keys = ids.map { context.services.cipher.key(of: $0.string ?? "")?.rawValue ?? 0 }
    let now = context.now
    try await context.write { transaction in
      var missing: [UserError] = []
      for (place, key) in keys.enumerated() {
        let looking = try transaction.statement(exists)
        try looking.bind(1, viewer.member.rawValue)
        try looking.bind(2, key)
        guard try looking.first({ _ in true }) == nil else { continue }
        let message = "You have no notification of this id."
        missing.append(UserError(field: ["ids", String(place)], code: .notFound, message: message))
      }
      guard missing.isEmpty else { throw Refused(missing) }
      for key in keys { try transaction.run(markOne, viewer.member.rawValue, key, now) }
    }
  }

  private static func markAll(_ viewer: Viewer, _ context: RequestContext) async throws {
    let finding = try context.reader.statement(newest)
    try finding.bind(1, viewer.member.rawValue)
    guard let last = try finding.first({ row in row.int64(0) }) else { return }
    let now = context.now
    var marked: Int
    repeat {
      marked = try await context.write { transaction in
        try transaction.run(markSome, viewer.member.rawValue, now, last)
        return transaction.changedRows
      }
    } while marked == maximumAtOnce
  }
}
