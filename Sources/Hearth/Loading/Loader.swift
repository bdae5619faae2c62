import Basics
import GraphQL
import Storage
import Synchronization

/// A batched loader: statements that load rows of a stored type, and read their columns into the request.
///
/// Every statement binds the viewer's family, so it cannot return objects of another family.
///
/// A statement selects only the columns that the plan reads, because each further one costs SQLite some 25 ns per row.
/// There is a statement for each set of columns in use, up to a limit; beyond it the statement with all columns is
/// used.
final class Loader: Sendable {
  private static let maximumVariants = 40

  let type: StoredType
  private let prefix: SQLFragment<LoaderParameters>
  private let from: SQLFragment<LoaderParameters>
  /// The same rows within a range of keys, from the highest to the lowest. Nil if they are only read by their keys.
  private let range: SQLFragment<LoaderParameters>?
  private let full: LoaderStatement
  /// A few, so that a linear search is faster than hashing.
  private let variants = Mutex<[LoaderStatement]>([])

  /// The statement with all columns, for tests of query plans.
  let sql: SQL<LoaderParameters>
  /// The same of a range.
  let rangeSQL: SQL<LoaderParameters>?

  private init(
    _ type: StoredType,
    prefix: SQLFragment<LoaderParameters>,
    from: SQLFragment<LoaderParameters>,
    range: SQLFragment<LoaderParameters>? = nil
  ) {
    self.type = type
    self.prefix = prefix
    self.from = from
    self.range = range
    let selection = Selection(.max, of: type)
    sql = Self.sql(selection, prefix: prefix, from: from)
    rangeSQL = range.map { Self.sql(selection, prefix: prefix, from: $0) }
    full = LoaderStatement(
      sql,
      columns: .max,
      selection: selection,
      range: rangeSQL.map { LoaderStatement($0, columns: .max, selection: selection) }
    )
  }

  /// Loads one row by its key for `add`, without a list of keys: 2,000 instructions less for a chore.
  ///
  /// - Parameter from: the table and the condition.
  static func single(_ type: StoredType, from: SQLFragment<LoaderParameters>) -> Loader {
    Loader(type, prefix: "SELECT ", from: from)
  }

  /// Loads the rows with these keys that the viewer may see.
  ///
  /// - Parameter from: the table joined to the keys `k`, and the condition.
  static func byKey(_ type: StoredType, from: SQLFragment<LoaderParameters>) -> Loader {
    Loader(type, prefix: "SELECT ", from: "\(keysJoin)\(from)")
  }

  /// The same for the rows of one owner, which are stored in the order of their keys. Keys that lie close together are
  /// read as a range: see `loadRange`.
  static func byKey(
    _ type: StoredType,
    rows table: PartitionedTable,
    of owner: KeyPath<LoaderParameters, GlobalID>,
    alias: String
  ) -> Loader {
    let rows: SQLFragment<LoaderParameters> = "\(rows: table, of: owner) AS \(sql: alias)"
    return Loader(
      type,
      prefix: "SELECT ",
      from: "\(keysJoin)\(rows) ON \(type.key) = k.value",
      range: "\(rows) WHERE \(type.key) BETWEEN \(\.lowest) AND \(\.highest) ORDER BY \(type.key) DESC"
    )
  }

  /// Loads rows for each of many parents, whose keys are `k`. The first column is the parent's index.
  ///
  /// - Parameter order: the columns by which the rows of a parent are sorted. SQLite must read them in this order.
  static func byParent(_ type: StoredType, from: SQLFragment<LoaderParameters>, order: String? = nil) -> Loader {
    let columns = order.map { ", \($0)" } ?? ""
    return Loader(type, prefix: "SELECT k.slot, ", from: "\(keysJoin)\(from)\(order: "k.slot" + columns)")
  }

  private static var keysJoin: SQLFragment<LoaderParameters> {
    "\(table: \.keys) AS k \(join: .asWritten) "
  }

  func load(_ keys: [Int64], into rows: inout RowLoading, in context: RequestContext) throws {
    guard let family = context.family else { return }
    // As a constant, because a variable would be retained for each value.
    let rows = rows
    let variant = variant(for: rows.columns)
    if let range = variant.range, keys.count >= Self.fewestInRange, context.answersAtOnce {
      let found = try loadRange(range, of: keys, for: family, into: rows, in: context)
      if found == keys.count { return }
      var rest: [Int64] = []
      rest.reserveCapacity(keys.count - found)
      for key in keys where !rows.isLoaded(key) { rest.append(key) }
      return try load(rest, with: variant, for: family, into: rows, in: context)
    }
    try load(keys, with: variant, for: family, into: rows, in: context)
  }

  private func load(
    _ keys: [Int64],
    with variant: LoaderStatement,
    for family: GlobalID,
    into rows: RowLoading,
    in context: RequestContext
  ) throws {
    let reader = context.reader
    let statement = try reader.statement(variant.statement)
    if let number = variant.keys { try statement.bind(keys: keys, at: number) }
    try variant.bind(statement, for: family, from: reader, in: context)
    let cipher = context.cipher
    var count = 0
    try statement.forEachRow { row in
      _ = variant.selection.take(row, from: 0, into: rows, cipher)
      count += 1
    }
    context.trace?.count(rows: count)
  }

  /// Loads rows of a range of keys, from the highest to the lowest, and returns their number.
  ///
  /// SQLite searches the tree from its root for each single key: 3,000 instructions for a chore, and half of that as
  /// the next row of a range. Where many other rows lie between, the range is given up, and the caller loads the rest
  /// by their keys. A dashboard with twelve chores takes 18,600 of 255,000 instructions less if they are neighbours,
  /// 4,600 less with one other chore between each two, and 10,500 more with many.
  private func loadRange(
    _ range: LoaderStatement,
    of keys: [Int64],
    for family: GlobalID,
    into rows: RowLoading,
    in context: RequestContext
  ) throws -> Int {
    guard let lowest = keys.min(), let highest = keys.max() else { return 0 }
    let reader = context.reader
    let statement = try reader.statement(range.statement)
    if let number = range.lowest { try statement.bind(lowest, at: number) }
    if let number = range.highest { try statement.bind(highest, at: number) }
    try range.bind(statement, for: family, from: reader, in: context)
    let cipher = context.cipher
    var found = 0
    var others = 0
    try statement.readRows { row in
      let key = row.int64(0)
      if let rowIndex = rows.takeWantedRow(of: key) {
        range.selection.fill(rowIndex, with: row, from: 0, key: key, in: rows, cipher)
        found += 1
      } else {
        others += 1
      }
      return others <= found + Self.maximumOthers && found < keys.count
    }
    context.trace?.count(rows: found)
    return found
  }

  /// With fewer keys, a range saves less than it can cost.
  private static let fewestInRange = 8
  /// By how many the rows that are not wanted may exceed those that are. With more, a range is given up.
  private static let maximumOthers = 2

  /// Adds the rows of every parent of a batch, in the statement's order.
  ///
  /// - Parameter filter: its meaning depends on the statement.
  func load(_ batch: inout Batch, in context: RequestContext, filter: Int64? = nil) throws {
    guard let family = context.family else { return }
    let result = batch.resultType
    let rows = batch.rows(of: result)
    let variant = variant(for: rows.columns)
    let reader = context.reader
    let statement = try reader.statement(variant.statement)
    if let number = variant.keys { try statement.bind(keys: batch.count, at: number) { batch.key($0) } }
    try variant.bind(statement, for: family, filter: filter, from: reader, in: context)
    let cipher = context.cipher
    var count = 0
    try statement.forEachRow { row in
      let rowIndex = variant.selection.take(row, from: 1, into: rows, cipher)
      batch.add(Int(row.int64(0)), row: rowIndex, of: result)
      count += 1
    }
    context.trace?.count(rows: count)
  }

  /// Adds the row with a key for one parent of a batch. Returns false if no such row exists. Only for a `single`
  /// loader.
  func add(_ key: GlobalID, for parent: Int = 0, to batch: inout Batch, in context: RequestContext) throws -> Bool {
    guard let family = context.family, let type = context.types[key] else { return false }
    let rows = batch.rows(of: type)
    let variant = variant(for: rows.columns)
    let reader = context.reader
    let statement = try reader.statement(variant.statement)
    try variant.bind(statement, key: key.rawValue, for: family, from: reader, in: context)
    let cipher = context.cipher
    let rowIndex = try statement.first { row in variant.selection.take(row, from: 0, into: rows, cipher) }
    if let rowIndex { batch.add(parent, row: rowIndex, of: type) }
    return rowIndex != nil
  }

  private func variant(for columns: UInt64) -> LoaderStatement {
    variants.withLock { variants in
      if let index = variants.firstIndex(where: { $0.columns == columns }) { return variants[index] }
      guard variants.count < Self.maximumVariants else { return full }
      let selection = Selection(columns, of: type)
      let variant = LoaderStatement(
        Self.sql(selection, prefix: prefix, from: from),
        columns: columns,
        selection: selection,
        range: range.map {
          LoaderStatement(Self.sql(selection, prefix: prefix, from: $0), columns: columns, selection: selection)
        }
      )
      variants.append(variant)
      return variant
    }
  }

  private static func sql(
    _ selection: Selection,
    prefix: SQLFragment<LoaderParameters>,
    from: SQLFragment<LoaderParameters>
  ) -> SQL<LoaderParameters> {
    SQL("\(prefix)\(selection.list) FROM \(from)")
  }
}

extension ObjectBinding {
  /// An object type whose objects are loaded by their keys.
  init(_ loader: Loader, fields: [String: FieldBinding]) {
    self.init(
      columns: loader.type.formats,
      fields: fields,
      load: { keys, rows, context in try loader.load(keys, into: &rows, in: request(context)) }
    )
  }
}
