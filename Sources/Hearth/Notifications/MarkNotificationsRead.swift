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
  static let exists = SQL<(recipient: GlobalID, notification: GlobalID)>(
    "SELECT 1 FROM notification WHERE recipient_id = \(\.recipient) AND id = \(\.notification)"
  )
  static let markOne = SQL<(recipient: GlobalID, notification: GlobalID, now: Timestamp)>(
    """
    UPDATE notification SET read_at = coalesce(read_at, \(\.now)) \
    WHERE recipient_id = \(\.recipient) AND id = \(\.notification)
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

  static func exists(_ notification: GlobalID?, for recipient: GlobalID, from reader: Reader) throws -> Bool {
    guard let notification else { return false }
    return try reader.hasRow(exists, (recipient: recipient, notification: notification))
  }

  static func newest(of recipient: GlobalID, from reader: Reader) throws -> GlobalID? {
    try reader.key(of: newest, recipient)
  }

  static func mark(_ notification: GlobalID, of recipient: GlobalID, in write: DatedWrite) throws {
    try write.transaction.run(markOne, (recipient: recipient, notification: notification, now: write.now))
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
      var missing: [UserError] = []
      for (index, key) in keys.enumerated() where try !exists(key, for: viewer.member, from: write.reader) {
        let message: UserError.Message = "You have no notification with this id."
        missing.append(UserError(field: ["ids", String(index)], code: .notFound, message: message))
      }
      guard missing.isEmpty else { throw RejectedInput(missing) }
      for key in keys.compactMap(\.self) { try mark(key, of: viewer.member, in: write) }
    }
  }

  private static func markAll(_ viewer: Viewer, in context: RequestContext) async throws {
    guard let newest = try await context.read({ reader in try newest(of: viewer.member, from: reader) }) else { return }
    var marked: Int
    repeat {
      marked = try await context.write { write in
        try write.transaction.run(markSome, (recipient: viewer.member, now: write.now, last: newest))
        return write.transaction.changedRows
      }
    } while marked == maximumAtOnce
  }
}
