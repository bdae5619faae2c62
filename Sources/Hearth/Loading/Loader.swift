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
  /// A class, because a copy of its members would retain each of them.
  private final class Variant: Sendable {
    let columns: UInt64
    let statement: StatementText
    let selection: Selection
    /// The numbers of the parameters; nil for those that the statement does not use.
    let keys: Int?
    let key: Int?
    let family: Int?
    let viewer: Int?
    let now: Int?
    let filter: Int?
    /// The partitions of these parameters: see `StatementText.partition(ofParameter:)`.
    let partitionOfFamily: Int?
    let partitionOfViewer: Int?

    init(_ sql: SQL<LoaderParameters>, columns: UInt64, selection: Selection) {
      self.columns = columns
      statement = sql.statement
      self.selection = selection
      keys = sql.number(ofKeys: \.keys)
      key = sql.number(of: \.key)
      family = sql.number(of: \.family)
      viewer = sql.number(of: \.viewer)
      now = sql.number(of: \.now)
      filter = sql.number(of: \.filter)
      partitionOfFamily = family.flatMap(sql.statement.partition)
      partitionOfViewer = viewer.flatMap(sql.statement.partition)
    }
  }

  private static let maximumVariants = 40

  let type: StoredType
  private let prefix: SQLFragment<LoaderParameters>
  private let from: SQLFragment<LoaderParameters>
  private let full: Variant
  /// A few, so that a linear search is faster than hashing.
  private let variants = Mutex<[Variant]>([])

  /// The statement with all columns, for tests of query plans.
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
    sql = Self.sql(selection, prefix: prefix, from: from)
    full = Variant(sql, columns: .max, selection: selection)
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

  /// Loads rows for each of many parents, whose keys are `k`. The first column is the parent's slot.
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
    let reader = context.reader
    let statement = try reader.statement(variant.statement)
    if let number = variant.keys { try statement.bind(keys: keys, at: number) }
    try bind(statement, of: variant, for: family, from: reader, in: context)
    let cipher = context.cipher
    var count = 0
    try statement.forEachRow { row in
      _ = variant.selection.take(row, from: 0, into: rows, cipher)
      count += 1
    }
    context.trace?.count(rows: count)
  }

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
    try bind(statement, of: variant, for: family, filter: filter, from: reader, in: context)
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
  func add(_ key: GlobalID, for slot: Int = 0, to batch: inout Batch, in context: RequestContext) throws -> Bool {
    guard let family = context.family, let type = context.types[key.kind] else { return false }
    let rows = batch.rows(of: type)
    let variant = variant(for: rows.columns)
    let reader = context.reader
    let statement = try reader.statement(variant.statement)
    try bind(statement, of: variant, key: key.rawValue, for: family, from: reader, in: context)
    let cipher = context.cipher
    let rowIndex = try statement.first { row in variant.selection.take(row, from: 0, into: rows, cipher) }
    if let rowIndex { batch.add(slot, row: rowIndex, of: type) }
    return rowIndex != nil
  }

  /// Binds the parameters but the keys individually, which is on the hot path: the loaders of a dashboard bind most of
  /// its values.
  private func bind(
    _ statement: Statement,
    of variant: Variant,
    key: Int64 = 0,
    for family: GlobalID,
    filter: Int64? = nil,
    from reader: Reader,
    in context: RequestContext
  ) throws(DatabaseError) {
    if let number = variant.key { try statement.bind(key, at: number) }
    if let number = variant.family {
      try statement.bind(family.rawValue, at: number)
      if let index = variant.partitionOfFamily { reader.choose(partition: family.rawValue, at: index) }
    }
    if let number = variant.viewer, let viewer = context.member {
      try statement.bind(viewer.rawValue, at: number)
      if let index = variant.partitionOfViewer { reader.choose(partition: viewer.rawValue, at: index) }
    }
    if let number = variant.now { try statement.bind(context.now, at: number) }
    if let number = variant.filter { try statement.bind(filter, at: number) }
  }

  private func variant(for columns: UInt64) -> Variant {
    variants.withLock { variants in
      if let index = variants.firstIndex(where: { $0.columns == columns }) { return variants[index] }
      guard variants.count < Self.maximumVariants else { return full }
      let selection = Selection(columns, of: type)
      let variant = Variant(Self.sql(selection, prefix: prefix, from: from), columns: columns, selection: selection)
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
