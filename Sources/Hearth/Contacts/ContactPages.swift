import GraphQL
import Storage

/// The viewer's address book, sorted by name.
enum ContactPages {
  typealias Filter = (owner: GlobalID, name: NameFilter)

  static let order = ListOrder(values: 0, hasText: true, kind: .contact)

  static let all = KeysetList<Filter>(
    .contact,
    of: \.owner,
    index: "contact_by_name",
    order: .byName,
    count: countOfAll
  )
  static let named = KeysetList<Filter>(
    .contact,
    of: \.owner,
    index: "contact_by_name",
    and: "\(NameFilter.condition, of: \.name)",
    order: .byName
  )
  /// Maintained by triggers.
  static let countOfAll = SQL<Filter>("SELECT a.contact_count FROM \(rows: .account, of: \.owner) AS a")

  static func page(_ pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.member else { return Page() }
    let name = try NameFilter(pageQuery.arguments)
    return try (name.isEmpty ? all : named).page((owner: viewer, name: name), pageQuery: pageQuery, in: context)
  }
}
