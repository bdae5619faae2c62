import GraphQL
import Storage

enum ChildType {
  static let stored = StoredType(Child.table, as: "c", key: \.id)
  static let byKey = Loader.byKey(stored, rows: .child, of: \.family, alias: "c")
  static let present = Loader.single(
    stored,
    from: "\(rows: .child, of: \.family) AS c WHERE c.id = \(\.key) AND c.removed_at IS NULL"
  )
  static let byFamily = Loader.byParent(
    stored,
    from: "\(rows: .child, of: \.family) AS c ON k.value = \(\.family) WHERE c.removed_at IS NULL",
    order: "c.id"
  )

  /// Deleted children that can still be restored, for parents.
  static let deleted = Loader.byParent(
    stored,
    from: """
      \(rows: .child, of: \.family) AS c ON k.value = \(\.family) \
      WHERE c.erase_at IS NOT NULL AND \(Kind.person.isKind(of: "\(\.viewer)"))
      """,
    order: "c.id"
  )

  private static let contract = Child.column(of: \.contract)
  private static let points = Child.column(of: \.points)

  private static let rewardLevel = FieldBinding.objects(needs: [\Child.contract, \Child.points]) { batch, context in
    try RewardLevelType.highestReached(&batch, contract: contract, points: points, in: context)
  }

  static let binding = ObjectBinding(
    byKey,
    fields: Member.fields(
      id: \Child.id,
      name: \.name,
      dateOfBirth: \.dateOfBirth,
      gender: \.gender,
      theme: \.theme,
      avatar: \.avatar
    ).merging([
      "username": .stored(\Child.username),
      "locale": .stored(\Child.locale),
      "family": .reference(\Child.family),
      "removedAt": .stored(\Child.removedAt),
      "eraseAt": .stored(\Child.eraseAt),
      "points": .stored(\Child.points),
      "achievementPoints": .stored(\Child.achievementPoints),
      "signInCode": SignInCode.field,
      "sessions": .ofChildren(SessionType.newestOfChildren),
      "devices": .ofChildren(DeviceType.ofChildren),
      "notificationSettings": NotificationSettings.ofChild,
      "contract": .reference(\Child.contract),
      "rewardLevel": rewardLevel,
      "prizeLevel": rewardLevel,
      "contracts": .connection(ContractPages.order) { child, pageQuery, context in
        try ContractPages.ofChild(child, pageQuery: pageQuery, in: context)
      },
      "finishedChores": .connection(FinishedChorePages.order) { child, pageQuery, context in
        try FinishedChorePages.ofChild(child, pageQuery: pageQuery, in: context)
      },
      "pointEntries": .connection(PointEntryPages.order) { child, pageQuery, context in
        try PointEntryPages.ofMember(child, pageQuery: pageQuery, in: context)
      },
      "notifications": .connection(NotificationPages.order) { child, pageQuery, context in
        try NotificationPages.ofChild(child, pageQuery: pageQuery, in: context)
      },
      "unreadNotificationCount": NotificationPages.unreadCountOfChild,
      "assignedChores": .connection(ChorePages.order) { child, pageQuery, context in
        try ChorePages.assigned(to: child, pageQuery: pageQuery, in: context)
      },
    ]) { _, own in own }
  )
}
