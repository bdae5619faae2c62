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
    let statement: StatementText
    let selection: Selection
    /// The numbers of the parameters; nil for one that the statement does not name.
    let keys: Int?
    let family: Int?
    let viewer: Int?
    let now: Int?
    let filter: Int?

    init(_ sql: SQL<LoaderParameters>, _ selection: Selection) {
      statement = sql.statement
      self.selection = selection
      keys = sql.number(ofKeys: \.keys)
      family = sql.number(of: \.family)
      viewer = sql.number(of: \.viewer)
      now = sql.number(of: \.now)
      filter = sql.number(of: \.filter)
    }
  }

  private static let maximumVariants = 40

  let type: StoredType
  private let prefix: SQLFragment<LoaderParameters>
  private let from: SQLFragment<LoaderParameters>
  private let full: Variant
  private let variants = Mutex<[UInt64: Variant]>([:])

  /// The statement with all columns, for those who look at its plan.
  let sql: SQL<LoaderParameters>

  private init(
    _ type: StoredType,
    prefix: SQLFragment<LoaderParameters>,
    from: SQLFragment<LoaderParameters>
  ) {
    self.type = type
    self.prefix = prefix
    self.from = from
    let selection = Selection(.max, of: type)
    sql = Self.sql(selection, prefix, from)
    full = Variant(sql, selection)
  }

  /// The rows with these keys that the viewer may see.
  ///
  /// `from` names the table that is joined to the keys `k`, and the condition.
  static func byKey(_ type: StoredType, from: SQLFragment<LoaderParameters>) -> Loader {
    Loader(type, prefix: "SELECT ", from: from)
  }

  /// Rows for each of many parents, whose keys are `k`: the first column is the parent's slot.
  static func byParent(_ type: StoredType, from: SQLFragment<LoaderParameters>) -> Loader {
    Loader(type, prefix: "SELECT k.slot, ", from: from)
  }

  func load(_ keys: [Int64], into rows: inout RowLoading, _ context: RequestContext) throws {
    guard let viewer = context.viewer else { return }
    let variant = variant(for: rows.columns)
    let statement = try context.reader.statement(variant.statement)
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
    let statement = try context.reader.statement(variant.statement)
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
    let statement = try context.reader.statement(variant.statement)
    try bind(statement, of: variant, [key.rawValue], viewer, nil, context)
    let cipher = context.services.cipher
    let place = try statement.first { row in variant.selection.take(row, from: 1, into: &rows, cipher) }
    if let place { batch.add(slot, row: place, of: type) }
    return place != nil
  }

  /// Binds the parameters one by one: the loaders of a dashboard bind most of its values.
  private func bind(
    _ statement: Statement,
    of variant: Variant,
    _ keys: [Int64],
    _ viewer: Viewer,
    _ filter: Int64?,
    _ context: RequestContext
  ) throws(DatabaseError) {
    if let number = variant.keys { try statement.bind(keys: keys, at: number) }
    if let number = variant.family { try statement.bind(viewer.family.rawValue, at: number) }
    if let number = variant.viewer { try statement.bind(viewer.member.rawValue, at: number) }
    if let number = variant.now { try statement.bind(context.now, at: number) }
    if let number = variant.filter { try statement.bind(filter, at: number) }
  }

  private func variant(for columns: UInt64) -> Variant {
    variants.withLock { variants in
      if let variant = variants[columns] { return variant }
      guard variants.count < Self.maximumVariants else { return full }
      let selection = Selection(columns, of: type)
      let variant = Variant(Self.sql(selection, prefix, from), selection)
      variants[columns] = variant
      return variant
    }
  }

  private static func sql(
    _ selection: Selection,
    _ prefix: SQLFragment<LoaderParameters>,
    _ from: SQLFragment<LoaderParameters>
  ) -> SQL<LoaderParameters> {
    SQL("\(prefix)\(selection.list) FROM \(table: \.keys) AS k \(join: .asWritten) \(from)")
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
