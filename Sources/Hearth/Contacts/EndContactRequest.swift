import GraphQL
import Storage

/// `rejectContactRequest`, formerly `rejectContact`, by the recipient, and `cancelContactRequest` by the sender. The
/// other person is not notified.
enum EndContactRequest {
  static let reject = mutation(ContactRequestRow.deleteReceived) { request, viewer, now, transaction in
    try transaction.run(ContactRejection.insert, (request: request, to: viewer, now: Timestamp(now)))
  }
  static let cancel = mutation(ContactRequestRow.deleteSent) { _, _, _, _ in }

  private static func mutation(
    _ delete: SQL<ContactRequestRow.Key>,
    first note: @escaping @Sendable (_ request: GlobalID, _ viewer: GlobalID, Int64, WriteTransaction) throws -> Void
  ) -> FieldBinding {
    .mutation { arguments, context in
      let viewer = try context.requireParent()
      let key = context.cipher.key(of: arguments["requestId"])
      let now = context.now
      let removed = try await context.write { transaction in
        guard let key else { throw RejectedInput([ContactRequestRow.notFound("requestId")]) }
        try note(key, viewer.member, now, transaction)
        try transaction.run(delete, (request: key, person: viewer.member))
        guard transaction.changedRows > 0 else { throw RejectedInput([ContactRequestRow.notFound("requestId")]) }
        return key
      }
      return Payload(removed: removed)
    }
  }
}
