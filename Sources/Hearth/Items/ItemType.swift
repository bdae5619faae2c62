import GraphQL
import Storage

enum ItemColumn: Int, StoredColumns {
  case id, name, photo, family, createdBy, createdAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("i.name")
    case .photo: .integer("i.photo")
    case .family: .key("i.family_id")
    case .createdBy: .key("i.created_by")
    case .createdAt: .dateTime("i.created_at")
    }
  }
}

enum ItemType {
  static let stored = StoredType(key: "i.id", ItemColumn.self)
  static let byKey = Loader.byKey(stored, from: "item AS i ON i.family_id = \(\.family) AND i.id = k.value")

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ItemColumn.id),
      "name": .stored(ItemColumn.name),
      "family": .reference(ItemColumn.family),
      "createdBy": .reference(ItemColumn.createdBy),
      "createdAt": .stored(ItemColumn.createdAt),
      "photo": .picture(ItemColumn.photo, needs: [.name]) { item in
        .of(firstLetterOf: item.string(ItemColumn.name.rawValue) ?? "", theme: .sunrise)
      },
    ]
  )
}
