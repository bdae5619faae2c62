import Storage

/// A child's contracts, newest first.
enum ContractPages {
  static let order = ListOrder(values: 0, kind: .contract, usualPage: 20)
  static let list = KeysetList<(family: GlobalID, child: GlobalID)>(
    .contract,
    of: \.family,
    index: "contract_by_child",
    where: "child_id = \(\.child)",
    order: .newestFirst
  )

  static func ofChild(_ child: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let family = context.family else { return Page() }
    return try list.page((family: family, child: child), pageQuery: pageQuery, in: context)
  }
}
