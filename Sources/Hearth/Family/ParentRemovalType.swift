import GraphQL
import Storage

/// An open request to remove a parent: visible to the family's parents.
enum ParentRemovalType {
  static let stored = StoredType(ParentRemovalRow.table, as: "r", key: \.id)
  static let byKey = Loader.byKey(
    stored,
    from: """
      \(rows: .parentRemoval, of: \.family) AS r ON r.id = k.value \
      WHERE \(Kind.person.isKind(of: "\(\.viewer)"))
      """
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\ParentRemovalRow.id),
      "parent": .reference(\ParentRemovalRow.person),
      "requestedBy": .reference(\ParentRemovalRow.requester),
      "requestedAt": .stored(\ParentRemovalRow.requestedAt),
      "effectiveAt": .stored(\ParentRemovalRow.effectiveAt),
    ]
  )
}
