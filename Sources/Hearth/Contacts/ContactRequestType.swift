import GraphQL
import Storage

/// A contact request that the viewer has sent or received.
enum ContactRequestType {
  static let stored = StoredType(ContactRequest.table, as: "r", key: \.id)
  static let byKey = Loader.byKey(
    stored,
    from: "contact_request AS r ON r.id = k.value WHERE r.from_id = \(\.viewer) OR r.to_id = \(\.viewer)"
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\ContactRequest.id),
      "from": .reference(\ContactRequest.from),
      "to": .reference(\ContactRequest.to),
      "sharing": .scopes(\ContactRequest.offered),
      "offered": .scopes(\ContactRequest.offered),
      "requestedSharing": .scopes(\ContactRequest.requested),
      "requested": .scopes(\ContactRequest.requested),
      "message": .stored(\ContactRequest.message),
      "invitedEmail": .stored(\ContactRequest.invitedEmail),
      "createdAt": .stored(\ContactRequest.createdAt),
    ]
  )
}
