import GraphQL
import Storage
import Synchronization

/// Statements that load rows of a stored type, and how their rows are taken into a request.
///
/// Every statement carries the viewer's family: what belongs to another is not found, whoever asks and by whatever way.
///
/// A statement selects only the columns that the plan reads: each further one costs SQLite some 25 ns a row. There is a
/// statement for each set of columns met, up to a number, and past that the one with all of them.
final class Loader: Sendable {
  private struct Variant: Sendable {
    let sql: SQL<Positional>
    let selection: Selection
    let asksForViewer: Bool
    let asksForMoment: Bool
    let asksForFilter: Bool
  }

  private static let maximumVariants = 40

  let type: StoredType
  private let prefix: String
  private let from: String
  private let full: Variant
  private let variants = Mutex<[UInt64: Variant]>([:])

  /// The statement with all columns, for those who look at its plan.
  var sql: SQL<Positional> { full.sql }

  private init(_ type: StoredType, prefix: String, from: String) {
    self.type = type
    self.prefix = prefix
    self.from = from
    full = Self.variant(.max, type, prefix, from)
  }

  /// The rows with these keys that the viewer may see. Parameters: 1 the keys, 2 the family, 3 the viewer, 4 the moment
  /// of the request, 5 a filter.
  ///
  /// `from` names the table that is joined to the keys `k`, and the condition.
  static func byKey(_ type: StoredType, from: String) -> Loader {
    Loader(type, prefix: "SELECT ", from: from)
  }

  /// Rows for each of many parents, whose keys are `k`: the first column is the parent's slot.
  static func byParent(_ type: StoredType, from: String) -> Loader {
    Loader(type, prefix: "SELECT k.slot, ", from: from)
  }

  func load(_ keys: [Int64], into rows: inout RowLoading, _ context: RequestContext) throws {
    guard let viewer = context.viewer else { return }
    let variant = variant(for: rows.columns)
    let statement = try context.reader.statement(variant.sql)
    try bind(statement, of: variant, keys, viewer, nil, context)
    let cipher = context.services.cipher
    try statement.forEachRow { row in _ = variant.selection.take(row, from: 0, into: &rows, cipher) }
  }

  /// Adds the rows of every parent of a batch, in the statement's order. `filter` is what the statement makes of it.
  func load(_ batch: inout Batch, _ context: RequestContext, filter: Int64? = nil) throws {
    guard let viewer = context.viewer else { return }
    let result = batch.resultType
    var rows = batch.rows(of: result)
    let variant = variant(for: rows.columns)
    let statement = try context.reader.statement(variant.sql)
    try bind(statement, of: variant, batch.keys, viewer, filter, context)
    let cipher = context.services.cipher
    try statement.forEachRow { row in
      let place = variant.selection.take(row, from: 1, into: &rows, cipher)
      batch.add(Int(row.int64(0)), row: place, of: result)
    }
  }

  /// Adds the row of one key for one parent of a batch; false where there is none.
  func add(_ key: GlobalID, for slot: Int = 0, to batch: inout Batch, _ context: RequestContext) throws -> Bool {
    guard let viewer = context.viewer, let type = context.types[key.kind] else { return false }
    var rows = batch.rows(of: type)
    let variant = variant(for: rows.columns)
    let statement = try context.reader.statement(variant.sql)
    try bind(statement, of: variant, [key.rawValue], viewer, nil, context)
    let cipher = context.services.cipher
    let place = try statement.first { row in variant.selection.take(row, from: 1, into: &rows, cipher) }
    if let place { batch.add(slot, row: place, of: type) }
    return place != nil
  }

  private func bind(
    _ statement: Statement,
    of variant: Variant,
    _ keys: [Int64],
    _ viewer: Viewer,
    _ filter: Int64?,
    _ context: RequestContext
  ) throws(DatabaseError) {
    try statement.bind(1, keys: keys)
    try statement.bind(2, viewer.family.rawValue)
    if variant.asksForViewer { try statement.bind(3, viewer.member.rawValue) }
    if variant.asksForMoment { try statement.bind(4, context.now) }
    if variant.asksForFilter { try statement.bind(5, filter) }
  }

  private func variant(for columns: UInt64) -> Variant {
    variants.withLock { variants in
      if let variant = variants[columns] { return variant }
      guard variants.count < Self.maximumVariants else { return full }
      let variant = Self.variant(columns, type, prefix, from)
      variants[columns] = variant
      return variant
    }
  }

  private static func variant(_ columns: UInt64, _ type: StoredType, _ prefix: String, _ from: String) -> Variant {
    let selection = Selection(columns, of: type)
    let text = "\(prefix)\(selection.list) FROM keys(?1) AS k CROSS JOIN \(from)"
    return Variant(
      sql: SQL(text),
      selection: selection,
      asksForViewer: text.contains("?3"),
      asksForMoment: text.contains("?4"),
      asksForFilter: text.contains("?5")
    )
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
