import GraphQL
import Storage

enum ChildColumn: Int, StoredColumns {
  case id, name, username, dateOfBirth, gender, theme, avatar, points, achievementPoints, contract, family, removedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("c.name")
    case .username: .text("c.username")
    case .dateOfBirth: .text("c.date_of_birth")
    case .gender: .enumeration("c.gender", Gender.self)
    case .theme: .enumeration("c.theme", Theme.self)
    case .avatar: .integer("c.avatar")
    case .points: .integer("c.points")
    case .achievementPoints: .integer("c.achievement_points")
    case .contract: .key("c.contract_id")
    case .family: .key("c.family_id")
    case .removedAt: .dateTime("c.removed_at")
    }
  }
}

enum ChildType {
  static let stored = StoredType(key: "c.id", ChildColumn.self)
  static let byKey = Loader.byKey(stored, from: "child AS c ON c.family_id = \(\.family) AND c.id = k.value")
  static let present = Loader.byParent(
    stored,
    from: "child AS c ON c.family_id = \(\.family) AND c.id = k.value WHERE c.removed_at IS NULL"
  )
  static let byFamily = Loader.byParent(
    stored,
    from: "child AS c ON c.family_id = k.value WHERE k.value = \(\.family) AND c.removed_at IS NULL"
  )

  static let binding = ObjectBinding(
    byKey,
    Member.fields(
      id: ChildColumn.id,
      name: .name,
      dateOfBirth: .dateOfBirth,
      gender: .gender,
      theme: .theme,
      avatar: .avatar
    ).merging([
      "username": .stored(ChildColumn.username),
      "family": .reference(ChildColumn.family),
      "removedAt": .stored(ChildColumn.removedAt),
      "points": .stored(ChildColumn.points),
      "achievementPoints": .stored(ChildColumn.achievementPoints),
      "signInCode": SignInCode.field,
      "sessions": SessionType.ofChild,
      "contract": .reference(ChildColumn.contract),
      "prizeLevel": .objects(needs: [ChildColumn.contract, .points]) { batch, context in
        try RewardLevelType.highestReached(&batch, contract: ChildColumn.contract, points: .points, context)
      },
      "contracts": .connection(ContractPages.order) { child, asked, context in
        try ContractPages.ofChild(child, asked, context)
      },
      "finishedChores": .connection(FinishedChorePages.order) { child, asked, context in
        try FinishedChorePages.ofChild(child, asked, context)
      },
      "assignedChores": .connection(ChorePages.order) { child, asked, context in
        try ChorePages.assigned(to: child, asked, context)
      },
    ]) { _, own in own }
  )
}
