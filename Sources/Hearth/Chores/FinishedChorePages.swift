import Storage

/// The finished chores of a child, the newest first.
enum FinishedChorePages {
  static let order = ListOrder(values: 0, kind: .finishedChore)
  static let list = KeysetList<(family: GlobalID, child: GlobalID)>(
    .finishedChore,
    of: \.family,
    index: "finished_chore_by_child",
    where: "child_id = \(\.child)",
    order: .newestFirst
  )

  static func ofChild(_ child: GlobalID, pageQuery asked: PageQuery, in context: RequestContext) throws -> Page {
    guard let family = context.family else { return Page() }
    return try list.page((family: family, child: child), pageQuery: asked, in: context)
  }
}
