import GraphQL
import Storage

/// `search`: people and groups by their public properties.
///
/// Matches are not ranked by a score, because that would read all of them, and the first letters of a name match a
/// hundred thousand people. They are read tier by tier (`SearchQuery.Tier`), groups before people and the oldest first,
/// and no more than a page. Every match contains all words, so a score could add little.
enum SearchPages {
  static let order = ListOrder(values: 1, kinds: [.person, .group], usualPage: 20, maximum: 50)
  /// The maximum `totalCount`.
  static let maximumTotal = 1_000
  /// The number of searches per operation. Each costs some milliseconds at worst.
  static let maximumOfRequest = 10

  private static let index = FullTextIndex("search_index")

  typealias Search = (expression: String, position: Int64, limit: Int64)

  static let find = SQL<Search>("\(matchesOf: index, \.expression, above: \.position, limit: \.limit)")
  /// The matches before a key, in the reverse order.
  static let findBackward = SQL<Search>("\(matchesOf: index, \.expression, below: \.position, limit: \.limit)")
  static let all = SQL<String>("\(anyMatchesOf: index, \.self, limit: maximumTotal)")

  /// A part of the result. Its index is a part of the cursors.
  private struct Section {
    let number: Int
    let tier: SearchQuery.Tier
    let kind: SearchKind
  }

  /// The sections of the result, in their order: in each tier, groups come before people.
  private static let sections = SearchQuery.Tier.allCases.flatMap { tier in
    [(tier, SearchKind.group), (tier, SearchKind.person)]
  }.enumerated().map { number, section in Section(number: number, tier: section.0, kind: section.1) }

  static func page(_ pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    _ = try context.requireParent()
    context.searches += 1
    guard context.searches <= maximumOfRequest else {
      throw FieldError("An operation can search at most \(maximumOfRequest) times.", code: .badUserInput)
    }
    let query = try SearchQuery(pageQuery.arguments["query"]?.string ?? "", argument: "query")
    let filter = try SearchFilter(pageQuery.arguments)
    let names = pageQuery.arguments["kinds"]?.list?.compactMap(\.string)
    let kinds = SearchKind.allCases.filter { names?.contains($0.rawValue) ?? true }
    let everything = kinds.compactMap { query.everything($0.marks, filter: filter) }
    var page = Page()
    guard !everything.isEmpty else {
      page.finish(pageQuery.page, hasMore: false)
      page.total = 0
      return page
    }
    if pageQuery.wantsItems {
      try context.reader.searching {
        try fill(&page, pageQuery: pageQuery, in: context) { section in
          kinds.contains(section.kind) ? query.expression(for: section.tier, marks: section.kind.marks, filter) : nil
        }
      }
    }
    if pageQuery.wantsTotal {
      var count: Int64 = 0
      try context.reader.searching {
        try context.reader.forEachRow(of: all, everything.joined(separator: " OR ")) { _ in count += 1 }
      }
      page.total = count
    }
    return page
  }

  /// Reads the sections from that of the cursor on, in the direction of the page.
  ///
  /// - Parameter expression: the expression of a section; nil if it has no matches.
  private static func fill(
    _ page: inout Page,
    pageQuery: PageQuery,
    in context: RequestContext,
    expression: (Section) -> String?
  ) throws {
    let cursor = pageQuery.page.cursor
    let isForward = pageQuery.page.direction == .forward
    let start = cursor.map { Int(clamping: $0.values[0]) }
    var hasMore = false
    for section in isForward ? sections : sections.reversed() {
      if let start, isForward ? section.number < start : section.number > start { continue }
      guard let expression = expression(section) else { continue }
      let edge: Int64 = isForward ? 0 : .max
      let position = section.number == start ? cursor?.key.rawValue ?? edge : edge
      // One more than the page size, to detect whether there are more.
      let limit = pageQuery.page.size + 1 - Int64(page.keys.count)
      let search = (expression: expression, position: position, limit: limit)
      try context.reader.forEachRow(of: isForward ? find : findBackward, search) { row in
        if page.keys.count == Int(pageQuery.page.size) {
          hasMore = true
          return
        }
        let key = row.key(0)
        page.append(key, for: pageQuery, cursor: Cursor([Int64(section.number)], key).text(context.cipher))
      }
      // Often the first sections fill the page: the others are asked for one after the other.
      if hasMore || context.reader.isWaiting { break }
    }
    page.finish(pageQuery.page, hasMore: hasMore)
  }
}

/// The kinds of objects that can be searched.
enum SearchKind: String, CaseIterable, Sendable {
  case person = "PERSON", group = "GROUP"

  var marks: SearchWords.Marks { self == .person ? .person : .group }
}
