import Storage

/// A child's contracts, newest first.
enum ContractPages {
  static let order = ListOrder(values: 0, kind: .contract, usualPage: 20)
  static let list = KeysetList<(family: GlobalID, child: GlobalID)>(
    "contract",
    index: "contract_by_child",
    where: "family_id = \(\.family) AND child_id = \(\.child)",
    order: .newestFirst
  )

  static func ofChild(_ child: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    return try list.page((family: viewer.family, child: child), pageQuery: pageQuery, in: context)
  }
}
