import GraphQL
import Storage

/// `search`: people and groups by their public properties.
///
/// Matches are not ranked by a score, because that would read all of them, and the first letters of a name match a
/// hundred thousand people. They are read tier by tier (`SearchQuery.Tier`), groups before people and the oldest first,
/// and no more than a page. Every match contains all words, so a score could add little.
enum SearchPages {
  static let order = ListOrder(values: 1, kinds: [.person, .group], usualPage: 20, maximum: 50)
  static let maximumLength = 200
  /// The maximum `totalCount`.
  static let maximumTotal = 1_000
  /// The number of searches per operation. Each costs some milliseconds at worst.
  static let maximumOfRequest = 10

  private static let index = FullTextIndex("search_index")

  static let find = SQL<(expression: String, after: Int64, limit: Int64)>(
    "\(matchesOf: index, \.expression, above: \.after, limit: \.limit)"
  )
  static let all = SQL<String>("\(anyMatchesOf: index, \.self, limit: maximumTotal)")

  /// The sections of the result, in their order: in each tier, groups come before people.
  private static let sections = SearchQuery.Tier.allCases.flatMap { tier in
    [(tier, SearchKind.group), (tier, SearchKind.person)]
  }

  static func page(_ pageQuery: PageQuery, _ context: RequestContext) throws -> Page {
    _ = try context.requireParent()
    context.searches += 1
    guard context.searches <= maximumOfRequest else {
      throw FieldError("An operation can search at most \(maximumOfRequest) times.", code: .badUserInput)
    }
    let text = pageQuery.arguments["query"]?.string ?? ""
    guard text.utf8.count <= maximumLength * InputForm.bytesPerCharacter, text.count <= maximumLength else {
      throw FieldError("`query` can have at most \(maximumLength) characters.", code: .badUserInput)
    }
    let query = SearchQuery(text)
    let names = pageQuery.arguments["kinds"]?.list?.compactMap(\.string)
    let kinds = SearchKind.allCases.filter { names?.contains($0.rawValue) ?? true }
    var page = Page()
    page.hasPrevious = pageQuery.page.after != nil
    guard !query.isEmpty, !kinds.isEmpty else {
      page.total = 0
      return page
    }
    if pageQuery.wantsItems {
      try context.reader.searching { try find(query, kinds: kinds, pageQuery, into: &page, context) }
    }
    if pageQuery.wantsTotal {
      let expression = kinds.map { query.everything($0.marks) }.joined(separator: " OR ")
      var count: Int64 = 0
      try context.reader.searching { try context.reader.forEachRow(of: all, expression) { _ in count += 1 } }
      page.total = count
    }
    return page
  }

  private static func find(
    _ query: SearchQuery,
    kinds: [SearchKind],
    _ pageQuery: PageQuery,
    into page: inout Page,
    _ context: RequestContext
  ) throws {
    let cursor = pageQuery.page.after
    let start = cursor.map { Int(clamping: $0.values[0]) } ?? 0
    guard sections.indices.contains(start) else { return }
    for (number, (tier, kind)) in sections.enumerated().dropFirst(start) where kinds.contains(kind) {
      guard let expression = query.expression(for: tier, marks: kind.marks) else { continue }
      let after = number == start ? cursor?.key.rawValue ?? 0 : 0
      // One more than the page size, to detect whether there are more.
      let limit = pageQuery.page.first + 1 - Int64(page.keys.count)
      try context.reader.forEachRow(of: find, (expression: expression, after: after, limit: limit)) { row in
        if page.keys.count == Int(pageQuery.page.first) {
          page.hasNext = true
          return
        }
        let key = GlobalID(rawValue: row.int64(0))
        page.append(key, for: pageQuery, cursor: Cursor([Int64(number)], key).text(context.services.cipher))
      }
      if page.hasNext { return }
    }
  }
}

/// The kinds of objects that can be searched.
enum SearchKind: String, CaseIterable, Sendable {
  case person = "PERSON", group = "GROUP"

  var marks: SearchWords.Marks { self == .person ? .person : .group }
}
