import GraphQL
import Storage

enum FamilyColumn: Int, StoredColumns {
  case id, name, timeZone, parentRemoval

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("f.name")
    case .timeZone: .text("f.time_zone")
    case .parentRemoval: .key("(SELECT r.id FROM \(rows: .parentRemoval, of: \.family) AS r)")
    }
  }
}

enum FamilyType {
  static let stored = StoredType(key: "f.id", FamilyColumn.self)
  static let byKey = Loader.byKey(stored, from: "\(rows: .family, of: \.family) AS f ON k.value = \(\.family)")

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(FamilyColumn.id),
      "name": .stored(FamilyColumn.name),
      "timeZone": .stored(FamilyColumn.timeZone),
      "parents": .objects { batch, context in try PersonType.byFamily.load(&batch, in: context) },
      "children": .objects { batch, context in try ChildType.byFamily.load(&batch, in: context) },
      "deletedChildren": .objects { batch, context in try ChildType.deleted.load(&batch, in: context) },
      "child": .objects { batch, context in
        guard let text = batch.arguments["id"]?.string, let key = context.cipher.key(of: text),
          key.kind == .child
        else { return }
        for index in 0..<batch.count { _ = try ChildType.present.add(key, for: index, to: &batch, in: context) }
      },
      "invitations": .objects { batch, context in try FamilyInvitationType.byFamily.load(&batch, in: context) },
      "parentRemoval": .reference(FamilyColumn.parentRemoval),
      "items": .connection(ItemPages.order) { family, pageQuery, context in
        try ItemPages.ofFamily(family, pageQuery: pageQuery, in: context)
      },
      "reminders": .connection(ReminderPages.order) { family, pageQuery, context in
        try ReminderPages.ofFamily(family, pageQuery: pageQuery, in: context)
      },
      "chores": .connection({ ChoreListQuery.order($0).list }) { family, pageQuery, context in
        try ChorePages.ofFamily(family, pageQuery: pageQuery, in: context)
      },
    ]
  )
}
