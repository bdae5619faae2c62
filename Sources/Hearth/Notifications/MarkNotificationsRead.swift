import GraphQL
import Storage

/// `markNotificationsRead`: marks the given notifications, or all that exist when the request arrives.
enum MarkNotificationsRead {
  static let maximumNamed = 1_000
  /// Rows per write, so that other writes do not wait long.
  static let maximumAtOnce = 5_000

  static let newest = SQL<GlobalID>(
    "SELECT id FROM notification WHERE recipient_id = \(\.self) ORDER BY id DESC LIMIT 1"
  )
  static let named = SQL<(recipient: GlobalID, notifications: [Int64])>(
    """
    SELECT id FROM notification \
    WHERE recipient_id = \(\.recipient) AND id IN (SELECT k.value FROM \(table: \.notifications) AS k)
    """
  )
  static let markNamed = SQL<(recipient: GlobalID, notifications: [Int64], now: Timestamp)>(
    """
    UPDATE notification SET read_at = \(\.now) WHERE recipient_id = \(\.recipient) AND read_at IS NULL \
    AND id IN (SELECT k.value FROM \(table: \.notifications) AS k)
    """
  )
  static let markSome = SQL<(recipient: GlobalID, now: Timestamp, last: GlobalID)>(
    """
    UPDATE notification SET read_at = \(\.now) WHERE recipient_id = \(\.recipient) AND id IN (\
    SELECT id FROM notification \(index: "notification_unread") \
    WHERE recipient_id = \(\.recipient) AND read_at IS NULL AND id <= \(\.last) \
    LIMIT \(sql: String(maximumAtOnce)))
    """
  )

  static func newest(of recipient: GlobalID, from reader: Reader) throws -> GlobalID? {
    try reader.key(of: newest, recipient)
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    if let ids = arguments["ids"], !ids.isNull {
      try await mark(ids.list ?? [], for: viewer, in: context)
    } else {
      try await markAll(viewer, in: context)
    }
    guard !viewer.isChild else { return Payload(["child": [viewer.member]]) }
    return Payload(["account": [viewer.member.viewed(as: .account)]])
  }

  private static func mark(_ ids: [InputValue], for viewer: Viewer, in context: RequestContext) async throws {
    guard ids.count <= maximumNamed else {
      throw RejectedInput(
        ["ids"],
        code: .tooLong,
        message: "The list can have at most \(maximum: maximumNamed) ids. Without `ids`, all are marked."
      )
    }
    let keys = ids.map { context.cipher.key(of: $0) }
    try await context.write { write in
      let numbers = keys.compactMap { $0?.rawValue }
      let found = Set(try write.reader.keys(of: named, (recipient: viewer.member, notifications: numbers)))
      var missing: [UserError] = []
      for (index, key) in keys.enumerated() where key.map(found.contains) != true {
        let message: UserError.Message = "You have no notification with this id."
        missing.append(UserError(field: ["ids", String(index)], code: .notFound, message: message))
      }
      guard missing.isEmpty else { throw RejectedInput(missing) }
      try write.transaction.run(markNamed, (recipient: viewer.member, notifications: numbers, now: write.now))
      // Other devices receive no event when all were read before.
      if write.transaction.changedRows > 0 { write.recordChange(ofAccount: viewer.member, as: .notificationsRead) }
    }
  }

  private static func markAll(_ viewer: Viewer, in context: RequestContext) async throws {
    guard let newest = try await context.read({ reader in try newest(of: viewer.member, from: reader) }) else { return }
    var marked: Int
    repeat {
      marked = try await context.write { write in
        try write.transaction.run(markSome, (recipient: viewer.member, now: write.now, last: newest))
        let marked = write.transaction.changedRows
        if marked > 0 { write.recordChange(ofAccount: viewer.member, as: .notificationsRead) }
        return marked
      }
    } while marked == maximumAtOnce
  }
}
