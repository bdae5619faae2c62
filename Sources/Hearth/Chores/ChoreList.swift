import GraphQL
import Storage

/// A list of a family's chores in one of its orders, with what was asked for.
struct ChoreList {
  private let query: ChoreListQuery

  init(_ query: ChoreListQuery) { self.query = query }

  func page(_ asked: PageQuery, _ context: RequestContext) throws -> Page {
    guard let family = context.viewer?.family else { return Page() }
    var page = Page()
    if asked.wantsItems {
      let statement = try context.reader.statement(asked.page.after == nil ? first : after)
      try statement.bind(1, family.rawValue)
      if let cursor = asked.page.after { try bind(cursor, to: statement) }
      try bindFilter(to: statement)
      try page.fill(from: statement, asked, context.services.cipher) { row, key in cursor(of: key, row) }
    }
    if asked.wantsTotal {
      let statement = try context.reader.statement(count)
      try statement.bind(1, family.rawValue)
      try bindFilter(to: statement)
      page.total = try statement.first { row in row.int64(0) }
    }
    return page
  }

  private var first: SQL<Positional> {
    switch query.order {
    case .priority:
      switch query.narrowest {
      case .assignee: ChoreListStatements.assignee
      case .period: ChoreListStatements.period
      case .status: ChoreListStatements.status
      case nil: ChoreListStatements.priority
      }
    case .due: ChoreListStatements.due
    case .name: ChoreListStatements.name
    case .newest: ChoreListStatements.newest
    }
  }

  private var after: SQL<Positional> {
    switch query.order {
    case .priority:
      switch query.narrowest {
      case .assignee: ChoreListStatements.assigneeAfter
      case .period: ChoreListStatements.periodAfter
      case .status: ChoreListStatements.statusAfter
      case nil: ChoreListStatements.priorityAfter
      }
    case .due: ChoreListStatements.dueAfter
    case .name: ChoreListStatements.nameAfter
    case .newest: ChoreListStatements.newestAfter
    }
  }

  /// Whatever the order is.
  private var count: SQL<Positional> {
    switch query.narrowest {
    case .assignee: ChoreListStatements.countOfAssignee
    case .period: ChoreListStatements.countOfPeriod
    case .status: ChoreListStatements.countOfStatus
    case nil: query.hasDueRange ? ChoreListStatements.countOfDue : ChoreListStatements.count
    }
  }

  private func cursor(of key: GlobalID, _ row: Row) -> Cursor {
    switch query.order {
    case .priority: Cursor([row.int64(1), row.int64(2)], key)
    case .due: Cursor([row.int64(1)], key)
    case .name: Cursor([], text: row.string(3), key)
    case .newest: Cursor([], key)
    }
  }

  private func bind(_ cursor: Cursor, to statement: Statement) throws(DatabaseError) {
    switch query.order {
    case .priority:
      try statement.bind(4, cursor.values[0])
      try statement.bind(5, cursor.values[1])
    case .due: try statement.bind(4, cursor.values[0])
    case .name: try statement.bind(5, cursor.text)
    case .newest: break
    }
    try statement.bind(6, cursor.key.rawValue)
  }

  private func bindFilter(to statement: Statement) throws(DatabaseError) {
    try statement.bind(10, query.status?.stored)
    try statement.bind(11, query.frequency?.stored)
    try statement.bind(12, query.dueBefore)
    try statement.bind(13, query.dueAfter)
    try statement.bind(14, query.period)
    try statement.bind(15, query.assignee?.rawValue)
    try statement.bind(16, query.text)
  }
}
