import GraphQL
import Storage

/// Lists of chores by priority, the highest first.
enum ChorePages {
  /// By priority, then by due time.
  static let order = ListOrder(values: 2, kind: .chore)

  /// A member's open chores.
  static let assigned = KeysetList<(family: GlobalID, member: GlobalID)>(
    .assignment,
    of: \.family,
    where: "member_id = \(\.member) AND status = \(ChoreStatus.open)",
    order: .by("priority_order", then: "due_order", key: "chore_id")
  )
  /// A family's chores without a filter. With one, see `ChoreLists`.
  static let ofFamily = KeysetList<GlobalID>(
    .chore,
    of: \.self,
    index: "chore_by_priority",
    where: "removed_at IS NULL",
    order: .by("priority_order", then: "due_order"),
    count: countOfFamily
  )
  static let countOfFamily = SQL<GlobalID>(
    "SELECT count(*) FROM \(rows: .chore, of: \.self) AS c WHERE c.removed_at IS NULL"
  )

  static func assigned(to member: GlobalID, pageQuery asked: PageQuery, in context: RequestContext) throws -> Page {
    guard let family = context.family else { return Page() }
    return try assigned.page((family: family, member: member), pageQuery: asked, in: context)
  }

  static func ofFamily(_ family: GlobalID, pageQuery asked: PageQuery, in context: RequestContext) throws -> Page {
    guard family == context.family else { return Page() }
    let query = ChoreListQuery(asked.arguments, cipher: context.cipher)
    guard query.order == .priority, query.isEverything else {
      return try ChoreLists.page((family: family, query: query), pageQuery: asked, in: context)
    }
    return try ofFamily.page(family, pageQuery: asked, in: context)
  }
}
