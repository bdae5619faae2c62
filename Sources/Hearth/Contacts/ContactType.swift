import GraphQL
import Storage

enum ContactColumn: Int, StoredColumns {
  case id, person, since, sharing, sharedWithViewer

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .person: .key("c.person_id")
    case .since: .dateTime("c.since")
    case .sharing: .integer("c.sharing")
    case .sharedWithViewer:
      .integer(
        """
        (SELECT s.sharing FROM contact AS s \(index: "contact_by_person") \
        WHERE s.owner_id = c.person_id AND s.person_id = c.owner_id)
        """
      )
    }
  }
}

/// A person in the viewer's address book.
enum ContactType {
  static let stored = StoredType(key: "c.id", ContactColumn.self)
  static let byKey = Loader.byKey(stored, from: "\(rows: .contact, of: \.viewer) AS c ON c.id = k.value")

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(ContactColumn.id),
      "person": .reference(ContactColumn.person),
      "since": .stored(ContactColumn.since),
      "sharing": .scopes(ContactColumn.sharing),
      "sharedWithViewer": .scopes(ContactColumn.sharedWithViewer),
    ]
  )
}
