import GraphQL
import Storage

/// The viewer's address book, in the order of names.
enum ContactPages {
  static let order = ListOrder(values: 0, hasText: true, kind: .contact)
  /// Words of a filter beyond these are not looked at.
  private static let maximumWords = 3

  /// Parameters: 1 the owner, 3 how many, 4 and 5 the place after which, 6 to 8 the words of the filter.
  private static let source = "FROM contact INDEXED BY contact_by_name WHERE owner_id = ?1"
  private static let after = "AND (name_key, id) > (?4, ?5)"
  private static let filter = "AND instr(name_key, ?6) AND instr(name_key, ?7) AND instr(name_key, ?8)"
  private static let limited = "ORDER BY name_key, id LIMIT ?3"

  static let all = SQL("SELECT id, name_key \(source) \(limited)")
  static let allAfter = SQL("SELECT id, name_key \(source) \(after) \(limited)")
  static let allCount = SQL("SELECT contact_count FROM account WHERE id = ?1")
  static let filtered = SQL("SELECT id, name_key \(source) \(filter) \(limited)")
  static let filteredAfter = SQL("SELECT id, name_key \(source) \(after) \(filter) \(limited)")
  static let filteredCount = SQL("SELECT count(*) \(source) \(filter)")

  static func page(_ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    let query = asked.arguments["query"]?.string ?? ""
    guard query.utf8.count <= 100 * InputForm.bytesPerCharacter else {
      throw FieldError("`query` is longer than a name can be.", code: .badUserInput)
    }
    let words = NameOrder.patterns(of: query, maximum: maximumWords)
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(
        asked.page.after == nil
          ? (words.isEmpty ? all : filtered) : (words.isEmpty ? allAfter : filteredAfter)
      )
      try bind(viewer.member, words, to: statement)
      if let cursor = asked.page.after {
        try statement.bind(4, cursor.text)
        try statement.bind(5, cursor.key.rawValue)
      }
      try page.fill(from: statement, asked, context.services.cipher) { row, key in
        Cursor([], text: row.string(1), key)
      }
    }
    if asked.wantsTotal {
      let statement = try context.reader.statement(words.isEmpty ? allCount : filteredCount)
      try bind(viewer.member, words, to: statement)
      page.total = try statement.first { row in row.int64(0) }
    }
    return page
  }

  private static func bind(_ owner: GlobalID, _ words: [String], to statement: Statement) throws(DatabaseError) {
    try statement.bind(1, owner.rawValue)
    guard !words.isEmpty else { return }
    // Every text begins with the empty one.
    for place in 0..<maximumWords { try statement.bind(6 + place, place < words.count ? words[place] : "") }
  }
}
