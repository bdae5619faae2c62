import GraphQL
import Storage

enum ItemColumn: Int, StoredColumns {
  case id, name, family, createdBy, createdAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("i.name")
    case .family: .key("i.family_id")
    case .createdBy: .key("i.created_by")
    case .createdAt: .dateTime("i.created_at")
    }
  }
}

enum ItemType {
  static let stored = StoredType(key: "i.id", ItemColumn.self)
  static let byKey = Loader.byKey(stored, from: "item AS i ON i.family_id = ?2 AND i.id = k.value")

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ItemColumn.id),
      "name": .stored(ItemColumn.name),
      "family": .reference(ItemColumn.family),
      "createdBy": .reference(ItemColumn.createdBy),
      "createdAt": .stored(ItemColumn.createdAt),
      "photo": .objects(needs: [ItemColumn.name]) { batch, context in
        for slot in 0..<batch.count {
          let name = batch.view(slot, context).string(ItemColumn.name.rawValue) ?? ""
          let picture = Placeholder.of(firstLetterOf: name, theme: .sunrise)
          batch.add(slot, value: Picture(picture, at: context.baseURL), of: batch.resultType)
        }
      },
    ]
  )
}
