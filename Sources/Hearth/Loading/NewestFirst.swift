import GraphQL
import Storage

/// A list whose order is the age of its keys, the newest first.
struct NewestFirst: Sendable {
  let first: SQL<Positional>
  let after: SQL<Positional>
  let count: SQL<Positional>

  /// A list of what belongs to one member of a family. `index` leads from family and `owner` to the key.
  init(table: String, owner: String, index: String) {
    let source = "FROM \(table) INDEXED BY \(index) WHERE family_id = ?1 AND \(owner) = ?2"
    first = SQL("SELECT id \(source) ORDER BY id DESC LIMIT ?3")
    after = SQL("SELECT id \(source) AND id < ?4 ORDER BY id DESC LIMIT ?3")
    count = SQL("SELECT count(*) \(source)")
  }

  /// A list of what belongs to a family as a whole, in a table that is clustered by it: the owner is the family, and no
  /// other than the viewer's.
  init(ofFamily table: String) {
    let source = "FROM \(table) WHERE family_id = ?1 AND ?2 = ?1"
    first = SQL("SELECT id \(source) ORDER BY id DESC LIMIT ?3")
    after = SQL("SELECT id \(source) AND id < ?4 ORDER BY id DESC LIMIT ?3")
    count = SQL("SELECT count(*) \(source)")
  }

  func page(of owner: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard let family = context.viewer?.family else { return Page() }
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(asked.page.after == nil ? first : after)
      try statement.bind(1, family.rawValue)
      try statement.bind(2, owner.rawValue)
      if let cursor = asked.page.after { try statement.bind(4, cursor.key.rawValue) }
      try page.fill(from: statement, asked, context.services.cipher) { _, key in Cursor([], key) }
    }
    if asked.wantsTotal {
      let statement = try context.reader.statement(count)
      try statement.bind(1, family.rawValue)
      try statement.bind(2, owner.rawValue)
      page.total = try statement.first { row in row.int64(0) }
    }
    return page
  }
}

enum ContractPages {
  static let order = ListOrder(values: 0, kind: .contract, usualPage: 20)
  static let list = NewestFirst(table: "contract", owner: "child_id", index: "contract_by_child")

  static func ofChild(_ child: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    try list.page(of: child, asked, context)
  }
}

enum FinishedChorePages {
  static let order = ListOrder(values: 0, kind: .finishedChore)
  static let list = NewestFirst(table: "finished_chore", owner: "child_id", index: "finished_chore_by_child")

  static func ofChild(_ child: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    try list.page(of: child, asked, context)
  }
}

enum ItemPages {
  static let order = ListOrder(values: 0, kind: .item)
  static let list = NewestFirst(ofFamily: "item")

  static func ofFamily(_ family: GlobalID, _ asked: PageQuery, _ context: RequestContext) throws -> Page {
    try list.page(of: family, asked, context)
  }
}
