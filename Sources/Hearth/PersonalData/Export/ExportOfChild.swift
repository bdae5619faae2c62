import Storage

/// What an export has about a child.
enum ExportOfChild {
  static let child = ExportSection(
    "child",
    from: "child AS c WHERE c.family_id = \(\.family) AND c.id = \(\.member)",
    columns: [
      "id": ("c.id", .id),
      "name": ("c.name", .text),
      "username": ("c.username", .text),
      "dateOfBirth": ("c.date_of_birth", .text),
      "gender": ("c.gender", .choice(of: Gender.self)),
      "theme": ("c.theme", .choice(of: Theme.self)),
      "avatar": ("c.avatar", .picture),
      "points": ("c.points", .number),
      "achievementPoints": ("c.achievement_points", .number),
      "createdAt": ("c.created_at", .moment),
      "removedAt": ("c.removed_at", .moment),
      "eraseAt": ("c.erase_at", .moment),
      "locale": ("c.locale", .text),
    ]
  )

  static let contracts = ExportSection(
    "contracts",
    from: "contract WHERE family_id = \(\.family) AND child_id = \(\.member)",
    columns: [
      "id": ("id", .id),
      "description": ("description", .text),
      "maxPoints": ("max_points", .number),
      "points": ("points", .number),
      "active": ("active", .boolean),
      "createdAt": ("created_at", .moment),
    ]
  )

  static let rewardLevels = ExportSection(
    "rewardLevels",
    from: """
      contract AS c JOIN reward_level AS l ON l.family_id = c.family_id AND l.contract_id = c.id \
      WHERE c.family_id = \(\.family) AND c.child_id = \(\.member)
      """,
    columns: [
      "contractId": ("l.contract_id", .id),
      "level": ("l.level", .number),
      "points": ("l.points", .number),
      "threshold": ("l.threshold", .number),
      "award": ("l.award", .text),
      "redeemedAt": ("l.redeemed_at", .moment),
      "redeemedById": ("l.redeemed_by", .id),
      "handedOutAt": ("l.handed_out_at", .moment),
      "handedOutById": ("l.handed_out_by", .id),
    ]
  )

  static let finishedChores = ExportSection(
    "finishedChores",
    from: "finished_chore WHERE family_id = \(\.family) AND child_id = \(\.member)",
    columns: [
      "id": ("id", .id),
      "choreId": ("chore_id", .id),
      "points": ("points", .number),
      "assignedById": ("assigned_by", .id),
      "finishedAt": ("finished_at", .moment),
    ]
  )

  static let sections = [child, contracts, rewardLevels, finishedChores]
}
