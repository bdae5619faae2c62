import GraphQL
import Storage

/// A list of the viewer's own, newest first: its statements are given the viewer (1), how many (3), and the key after
/// which (4).
struct ViewersList: Sendable {
  let first: SQL<Positional>
  let after: SQL<Positional>
  let count: SQL<Positional>

  func page(_ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard let viewer = context.viewer else { return Page() }
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(asked.page.after == nil ? first : after)
      try statement.bind(1, viewer.member.rawValue)
      if let cursor = asked.page.after { try statement.bind(4, cursor.key.rawValue) }
      try page.fill(from: statement, asked, context.services.cipher) { _, key in Cursor([], key) }
    }
    if asked.wantsTotal {
      let counting = try context.reader.statement(count)
      try counting.bind(1, viewer.member.rawValue)
      page.total = try counting.first { row in row.int64(0) }
    }
    return page
  }
}
