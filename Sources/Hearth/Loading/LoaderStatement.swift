import GraphQL
import Storage

/// A statement of a loader, which selects some columns of the stored type, and the numbers of its parameters.
///
/// A class, because a copy of its members would retain each of them.
final class LoaderStatement: Sendable {
  let columns: UInt64
  let statement: StatementText
  let selection: Selection
  /// The number of the parameter for the keys, and so on; nil for those that the statement does not use.
  let keys: Int?
  let lowest: Int?
  let highest: Int?
  private let key: Int?
  private let family: Int?
  private let viewer: Int?
  private let now: Int?
  private let filter: Int?
  /// The partitions of these parameters: see `StatementText.partition(ofParameter:)`.
  private let partitionOfFamily: Int?
  private let partitionOfViewer: Int?
  /// The statement that reads the same columns for a range of keys; nil for a loader that does not read ranges.
  let range: LoaderStatement?

  init(_ sql: SQL<LoaderParameters>, columns: UInt64, selection: Selection, range: LoaderStatement? = nil) {
    self.columns = columns
    statement = sql.statement
    self.selection = selection
    keys = sql.number(ofKeys: \.keys)
    lowest = sql.number(of: \.lowest)
    highest = sql.number(of: \.highest)
    key = sql.number(of: \.key)
    family = sql.number(of: \.family)
    viewer = sql.number(of: \.viewer)
    now = sql.number(of: \.now)
    filter = sql.number(of: \.filter)
    partitionOfFamily = family.flatMap(sql.statement.partition)
    partitionOfViewer = viewer.flatMap(sql.statement.partition)
    self.range = range
  }

  /// Binds the parameters but the keys individually, which is on the hot path: the loaders of a dashboard bind most of
  /// its values.
  func bind(
    _ statement: Statement,
    key: Int64 = 0,
    for family: GlobalID,
    filter: Int64? = nil,
    from reader: Reader,
    in context: RequestContext
  ) throws(DatabaseError) {
    if let number = self.key { try statement.bind(key, at: number) }
    if let number = self.family {
      try statement.bind(family.rawValue, at: number)
      if let index = partitionOfFamily { reader.choose(partition: family.rawValue, at: index) }
    }
    if let number = viewer, let viewer = context.member {
      try statement.bind(viewer.rawValue, at: number)
      if let index = partitionOfViewer { reader.choose(partition: viewer.rawValue, at: index) }
    }
    if let number = now { try statement.bind(context.now, at: number) }
    if let number = self.filter { try statement.bind(filter, at: number) }
  }
}
