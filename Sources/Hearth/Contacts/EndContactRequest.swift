import GraphQL
import Storage

/// `rejectContactRequest`, formerly `rejectContact`, by the recipient, and `cancelContactRequest` by the sender. The
/// other person is not notified: only their open apps show that the request has ended.
enum EndContactRequest {
  static let reject = mutation(ContactRequest.deleteReceived) { request, viewer, write in
    try write.transaction.run(ContactRejection.insert, (request: request, to: viewer, now: write.now))
  }
  static let cancel = mutation(ContactRequest.deleteSent) { _, _, _ in }

  private static func mutation(
    _ delete: SQL<ContactRequest.Key>,
    first note: @escaping @Sendable (_ request: GlobalID, _ viewer: GlobalID, DatedWrite) throws -> Void
  ) -> FieldBinding {
    .mutation { arguments, context in
      let viewer = try context.requireParent()
      let key = context.cipher.key(of: arguments["requestId"])
      let removed = try await context.write { write in
        guard let key else { throw RejectedInput([ContactRequest.notFound("requestId")]) }
        try note(key, viewer.member, write)
        let ended = try write.reader.first(of: delete, (request: key, person: viewer.member)) { row in
          (from: row.key(0), to: row.optionalKey(1))
        }
        guard let ended else { throw RejectedInput([ContactRequest.notFound("requestId")]) }
        ContactRequest.recordChange(of: key, from: ended.from, to: ended.to, in: write)
        return key
      }
      return Payload(removed: removed)
    }
  }
}
