import Storage

/// A family's items, newest first.
enum ItemPages {
  static let order = ListOrder(values: 0, kind: .item)
  /// Only for the viewer's family. The list of another family is empty.
  static let list = KeysetList<(family: GlobalID, owner: GlobalID)>(
    "item",
    where: "family_id = \(\.family) AND \(\.owner) = \(\.family)",
    order: .newestFirst
  )

  static func ofFamily(_ family: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    return try list.page((family: viewer.family, owner: family), pageQuery: pageQuery, in: context)
  }
}
