import GraphQL
import Storage

/// Statements that load rows of a stored type, and how their rows are taken into a request.
///
/// Every statement carries the viewer's family: what belongs to another is not found, whoever asks and by whatever way.
struct Loader: Sendable {
  let type: StoredType
  let sql: SQL
  private let asksForViewer: Bool

  private init(_ type: StoredType, _ text: String) {
    self.type = type
    sql = SQL(text)
    asksForViewer = text.contains("?3")
  }

  /// The rows with these keys that the viewer may see. Parameters: 1 the keys, 2 the family, 3 the viewer.
  ///
  /// `from` names the table that is joined to the keys `k`, and the condition.
  static func byKey(_ type: StoredType, from: String) -> Loader {
    Loader(type, "SELECT \(type.selectList) FROM keys(?1) AS k CROSS JOIN \(from)")
  }

  /// Rows for each of many parents, whose keys are `k`: the first column is the parent's slot.
  static func byParent(_ type: StoredType, from: String) -> Loader {
    Loader(type, "SELECT k.slot, \(type.selectList) FROM keys(?1) AS k CROSS JOIN \(from)")
  }

  func load(_ keys: [Int64], into rows: inout RowLoading, _ context: RequestContext) throws {
    guard let viewer = context.viewer else { return }
    let statement = try context.reader.statement(sql)
    try bind(statement, keys, viewer)
    let cipher = context.services.cipher
    try statement.forEachRow { row in _ = type.take(row, from: 0, into: &rows, cipher) }
  }

  /// Adds the rows of every parent of a batch, in the statement's order.
  func load(_ batch: inout Batch, _ context: RequestContext) throws {
    guard let viewer = context.viewer else { return }
    let statement = try context.reader.statement(sql)
    try bind(statement, batch.keys, viewer)
    let cipher = context.services.cipher
    let result = batch.resultType
    var rows = batch.rows(of: result)
    try statement.forEachRow { row in
      let place = type.take(row, from: 1, into: &rows, cipher)
      batch.add(Int(row.int64(0)), row: place, of: result)
    }
  }

  private func bind(_ statement: Statement, _ keys: [Int64], _ viewer: Viewer) throws(DatabaseError) {
    try statement.bind(1, keys: keys)
    try statement.bind(2, viewer.family.rawValue)
    if asksForViewer { try statement.bind(3, viewer.member.rawValue) }
  }
}

extension ObjectBinding {
  /// An object type that is loaded by its keys.
  init(_ loader: Loader, _ fields: [String: FieldBinding]) {
    self.init(
      columns: loader.type.formats,
      fields: fields,
      load: { keys, rows, context in try loader.load(keys, into: &rows, request(context)) }
    )
  }
}
