import GraphQL
import Storage

enum ContactRequestColumn: Int, StoredColumns {
  case id, from, to, offered, requested, message, invitedEmail, createdAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .from: .key("r.from_id")
    case .to: .key("r.to_id")
    case .offered: .integer("r.offered")
    case .requested: .integer("r.requested")
    case .message: .text("r.message")
    case .invitedEmail: .text("r.invited_email")
    case .createdAt: .dateTime("r.created_at")
    }
  }
}

/// A request that the viewer has sent or received.
enum ContactRequestType {
  static let stored = StoredType(key: "r.id", ContactRequestColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: "contact_request AS r ON r.id = k.value WHERE r.from_id = \(\.viewer) OR r.to_id = \(\.viewer)"
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ContactRequestColumn.id),
      "from": .reference(ContactRequestColumn.from),
      "to": .reference(ContactRequestColumn.to),
      "offered": .scopes(ContactRequestColumn.offered),
      "requested": .scopes(ContactRequestColumn.requested),
      "message": .stored(ContactRequestColumn.message),
      "invitedEmail": .stored(ContactRequestColumn.invitedEmail),
      "createdAt": .stored(ContactRequestColumn.createdAt),
    ]
  )
}
