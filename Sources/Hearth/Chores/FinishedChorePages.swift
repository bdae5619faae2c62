import Storage

/// The finished chores of a child, the newest first.
enum FinishedChorePages {
  static let order = ListOrder(values: 0, kind: .finishedChore)
  static let list = KeysetList<(family: GlobalID, child: GlobalID)>(
    "finished_chore",
    index: "finished_chore_by_child",
    where: "family_id = \(\.family) AND child_id = \(\.child)",
    order: .newestFirst
  )

  static func ofChild(_ child: GlobalID, pageQuery asked: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    return try list.page((family: viewer.family, child: child), pageQuery: asked, in: context)
  }
}
