import GraphQL
import Storage

/// `rejectContact`, by who was asked, and `cancelContactRequest`, by who has asked. Nobody is told.
enum EndContactRequest {
  static let reject = mutation(ContactRequestRow.deleteReceived)
  static let cancel = mutation(ContactRequestRow.deleteSent)

  private static func mutation(_ delete: SQL) -> FieldBinding {
    .mutation { arguments, context in
      let viewer = try context.requireParent()
      let key = context.services.cipher.key(of: arguments["requestId"]?.string ?? "")
      let removed = try await context.write { transaction in
        try transaction.run(delete, key?.rawValue ?? 0, viewer.member.rawValue)
        guard transaction.changedRows > 0, let key else {
          throw Refused([ContactRequestRow.notFound("requestId")])
        }
        return key
      }
      return Payload(removed: removed)
    }
  }
}
