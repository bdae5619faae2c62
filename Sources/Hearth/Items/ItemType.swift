import GraphQL
import Storage

enum ItemType {
  static let stored = StoredType(Item.table, as: "i", key: \.id)
  static let byKey = Loader.byKey(stored, rows: .item, of: \.family, alias: "i")

  private static let name = Item.column(of: \.name)

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\Item.id),
      "name": .stored(\Item.name),
      "family": .reference(\Item.family),
      "createdBy": .reference(\Item.createdBy),
      "createdAt": .stored(\Item.createdAt),
      "photo": .picture(\Item.photo, needs: [\.name]) { item in
        .of(firstLetterOf: item.string(name) ?? "", theme: .sunrise)
      },
    ]
  )
}
