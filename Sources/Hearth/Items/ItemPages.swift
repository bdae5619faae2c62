import Storage

/// A family's items, newest first.
enum ItemPages {
  static let order = ListOrder(values: 0, kind: .item)
  /// Only for the viewer's family. The list of another family is empty.
  static let list = KeysetList<(family: GlobalID, owner: GlobalID)>(
    .item,
    of: \.family,
    where: "\(\.owner) = \(\.family)",
    order: .newestFirst
  )

  static func ofFamily(_ owner: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let family = context.family else { return Page() }
    return try list.page((family: family, owner: owner), pageQuery: pageQuery, in: context)
  }
}
