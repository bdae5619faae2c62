import Storage

/// What an export has about a child.
enum ExportOfChild {
  static let child = SQL<MemberKey>(
    """
    SELECT c.id, c.name, c.username, c.date_of_birth, c.gender, c.theme, c.avatar, c.points, \
    c.achievement_points, c.created_at, c.removed_at, c.erase_at, c.locale FROM child AS c \
    WHERE c.family_id = \(\.family) AND c.id = \(\.member)
    """
  )

  static let contracts = SQL<MemberKey>(
    """
    SELECT id, description, max_points, points, active, created_at FROM contract WHERE family_id = \
    \(\.family) AND child_id = \(\.member)
    """
  )

  static let rewardLevels = SQL<MemberKey>(
    """
    SELECT l.contract_id, l.level, l.points, l.threshold, l.award, l.redeemed_at, l.redeemed_by, \
    l.handed_out_at, l.handed_out_by FROM contract AS c JOIN reward_level AS l ON l.family_id = c.family_id AND l.contract_id = c.id WHERE c.family_id = \(\.family) AND c.child_id = \
    \(\.member)
    """
  )

  static let finishedChores = SQL<MemberKey>(
    """
    SELECT id, chore_id, points, assigned_by, finished_at FROM finished_chore WHERE family_id = \(\.family) \
    AND child_id = \(\.member)
    """
  )

  static let sections: [ExportSection] = [
    ExportSection(
      "child",
      statement: child,
      columns: [
        "id": .id,
        "name": .text,
        "username": .text,
        "dateOfBirth": .text,
        "gender": .choice(of: Gender.self),
        "theme": .choice(of: Theme.self),
        "avatar": .picture,
        "points": .number,
        "achievementPoints": .number,
        "createdAt": .moment,
        "removedAt": .moment,
        "eraseAt": .moment,
        "locale": .text,
      ]
    ),
    ExportSection(
      "contracts",
      statement: contracts,
      columns: [
        "id": .id,
        "description": .text,
        "maxPoints": .number,
        "points": .number,
        "active": .boolean,
        "createdAt": .moment,
      ]
    ),
    ExportSection(
      "rewardLevels",
      statement: rewardLevels,
      columns: [
        "contractId": .id,
        "level": .number,
        "points": .number,
        "threshold": .number,
        "award": .text,
        "redeemedAt": .moment,
        "redeemedById": .id,
        "handedOutAt": .moment,
        "handedOutById": .id,
      ]
    ),
    ExportSection(
      "finishedChores",
      statement: finishedChores,
      columns: [
        "id": .id,
        "choreId": .id,
        "points": .number,
        "assignedById": .id,
        "finishedAt": .moment,
      ]
    ),
  ]
}
