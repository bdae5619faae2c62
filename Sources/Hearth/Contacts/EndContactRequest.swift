import GraphQL
import Storage

/// `rejectContactRequest`, formerly `rejectContact`, by the recipient, and `cancelContactRequest` by the sender. The
/// other person is not notified.
enum EndContactRequest {
  static let reject = mutation(ContactRequestRow.deleteReceived) { request, viewer, write in
    try write.transaction.run(ContactRejection.insert, (request: request, to: viewer, now: write.now))
  }
  static let cancel = mutation(ContactRequestRow.deleteSent) { _, _, _ in }

  private static func mutation(
    _ delete: SQL<ContactRequestRow.Key>,
    first note: @escaping @Sendable (_ request: GlobalID, _ viewer: GlobalID, DatedWrite) throws -> Void
  ) -> FieldBinding {
    .mutation { arguments, context in
      let viewer = try context.requireParent()
      let key = context.cipher.key(of: arguments["requestId"])
      let removed = try await context.write { write in
        guard let key else { throw RejectedInput([ContactRequestRow.notFound("requestId")]) }
        try note(key, viewer.member, write)
        try write.transaction.run(delete, (request: key, person: viewer.member))
        guard write.transaction.changedRows > 0 else { throw RejectedInput([ContactRequestRow.notFound("requestId")]) }
        return key
      }
      return Payload(removed: removed)
    }
  }
}
