import Storage

/// The entries of a member, newest first.
enum PointEntryPages {
  static let order = ListOrder(values: 0, kind: .pointEntry)
  static let list = KeysetList<(family: GlobalID, member: GlobalID)>(
    .pointEntry,
    of: \.family,
    index: "point_entry_by_member",
    where: "member_id = \(\.member)",
    order: .newestFirst
  )

  /// Nil if the viewer may not see them: children see only their own.
  static func ofMember(_ member: GlobalID, pageQuery: PageQuery, in context: RequestContext) throws -> Page? {
    guard let family = context.family, let viewer = context.member, viewer.kind != .child || viewer == member else {
      return nil
    }
    return try list.page((family: family, member: member), pageQuery: pageQuery, in: context)
  }
}
