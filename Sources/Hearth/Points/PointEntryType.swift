import GraphQL
import Storage

/// Entries of the ledger. Adults see those of their family, children their own.
enum PointEntryType {
  static let stored = StoredType(PointEntry.table, as: "e", key: \.id)
  static let byKey = Loader.byKey(
    stored,
    from: """
      \(rows: .pointEntry, of: \.family) AS e ON e.id = k.value \
      WHERE \(Kind.person.isKind(of: "\(\.viewer)")) OR e.member_id = \(\.viewer)
      """
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\PointEntry.id),
      "member": .reference(\PointEntry.member),
      "points": .stored(\PointEntry.points),
      "kind": .stored(\PointEntry.kind),
      "author": .reference(\PointEntry.author),
      "reason": .stored(\PointEntry.reason),
      "chore": .reference(\PointEntry.chore),
      "contract": .reference(\PointEntry.contract),
      "level": .stored(\PointEntry.level),
      "corrected": .reference(\PointEntry.corrected),
      "createdAt": .stored(\PointEntry.createdAt),
    ]
  )
}
