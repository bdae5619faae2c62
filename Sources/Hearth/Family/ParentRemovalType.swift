import GraphQL
import Storage

enum ParentRemovalColumn: Int, StoredColumns {
  case id, parent, requestedBy, requestedAt, effectiveAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .parent: .key("r.person_id")
    case .requestedBy: .key("r.requested_by")
    case .requestedAt: .dateTime("r.requested_at")
    case .effectiveAt: .dateTime("r.effective_at")
    }
  }
}

/// An open request to remove a parent: visible to the family's parents.
enum ParentRemovalType {
  static let stored = StoredType(key: "r.id", ParentRemovalColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      parent_removal AS r ON r.id = k.value \
      WHERE r.family_id = \(\.family) AND \(Kind.person.isKind(of: "\(\.viewer)"))
      """
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ParentRemovalColumn.id),
      "parent": .reference(ParentRemovalColumn.parent),
      "requestedBy": .reference(ParentRemovalColumn.requestedBy),
      "requestedAt": .stored(ParentRemovalColumn.requestedAt),
      "effectiveAt": .stored(ParentRemovalColumn.effectiveAt),
    ]
  )
}
