import CSQLite

/// Which tables the statements of a connection read, or change if it is the writer's. SQLite names them while it
/// prepares a statement, with those of triggers, foreign keys and views (https://sqlite.org/c3ref/set_authorizer.html):
/// whatever a statement accesses when it runs, its program contains. A full-text index has one name, and its own tables
/// are accessed through it.
@usableFromInline struct TableUse: ~Copyable {
  @usableFromInline struct State {
    /// The tables of all statements that were requested or prepared since the last `begin`, without tables of which one
    /// partition was read. SQLite prepares a statement again when the schema has changed.
    @usableFromInline var used = TableSet.none
    /// The tables of which the last requested statement reads a partition that is not known yet.
    @usableFromInline var pending = PartitionTables()
    /// The partitions of which some tables were read.
    @usableFromInline var partitions = PartitionKeys()
    /// The tables that the statement being prepared uses.
    var prepared = TableSet.none
    /// The subset of `prepared` that is read through views.
    var preparedInViews = TableSet.none
    /// Gives the tables their numbers.
    let versions: TableVersions
    let isWriter: Bool
  }

  /// Owned by this value. SQLite holds the pointer while the connection is open, and the connection is closed before it
  /// is released. Nil if nothing is recorded.
  @usableFromInline let state: UnsafeMutablePointer<State>?

  /// - Parameters:
  ///   - versions: Nil if nothing is recorded.
  ///   - isWriter: whether the tables that are changed are recorded, and not those that are read.
  init(of database: OpaquePointer, in versions: TableVersions?, isWriter: Bool) {
    guard let versions else {
      state = nil
      return
    }
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State(versions: versions, isWriter: isWriter))
    self.state = state
    sqlite3_set_authorizer(
      database,
      { context, action, table, function, _, view in
        guard let state = context?.assumingMemoryBound(to: State.self) else { return SQLITE_DENY }
        if action == SQLITE_FUNCTION, !state.pointee.isWriter, TableUse.isUnpredictable(function) { return SQLITE_DENY }
        let tables = TableUse.tables(of: action, on: table, for: state.pointee)
        state.pointee.prepared.formUnion(tables)
        state.pointee.used.formUnion(tables)
        if view != nil { state.pointee.preparedInViews.formUnion(tables) }
        return SQLITE_OK
      },
      state
    )
  }

  deinit {
    state?.deinitialize(count: 1)
    state?.deallocate()
  }

  /// - Parameter table: the table, for the actions that concern one.
  private static func tables(of action: Int32, on table: UnsafePointer<CChar>?, for state: State) -> TableSet {
    // A reader changes nothing. When a virtual table is first used, its declaration is reported like a new table.
    if !state.isWriter, action != SQLITE_READ { return .none }
    switch action {
    case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_PRAGMA, SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_RECURSIVE:
      return .none
    case SQLITE_READ where state.isWriter: return .none
    case SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      return table.map { state.versions.set(of: String(cString: $0)) } ?? .all
    // Statements that change the schema.
    default: return .all
    }
  }

  /// Whether a function returns something else at another time, for equal arguments and equal tables. What the readers
  /// of loops read must depend on the tables alone, so they cannot prepare statements with such a function.
  private static func isUnpredictable(_ function: UnsafePointer<CChar>?) -> Bool {
    guard let function else { return true }
    return [
      "random", "randomblob", "current_date", "current_time", "current_timestamp", "date", "time", "datetime",
      "julianday", "unixepoch", "strftime", "timediff", "changes", "total_changes", "last_insert_rowid",
    ]
    .contains(String(cString: function).lowercased())
  }

  func begin() {
    guard let state else { return }
    state.pointee.used = .none
    state.pointee.pending = PartitionTables()
    state.pointee.partitions = PartitionKeys()
  }

  /// The tables since `begin`, without those of which only `partitions` were read.
  var tables: TableSet {
    guard let state else { return .none }
    return state.pointee.used.union(state.pointee.pending.all)
  }

  /// The partitions of which some tables were read since `begin`.
  var partitions: PartitionKeys { state?.pointee.partitions ?? PartitionKeys() }

  /// Adds the tables of a requested statement. Without `choose`, it reads all of their partitions.
  @inlinable @inline(__always)
  func add(_ prepared: Connection.Prepared) {
    guard let state else { return }
    state.pointee.used.formUnion(prepared.tables)
    state.pointee.used.formUnion(state.pointee.pending.all)
    state.pointee.pending = prepared.ofPartitions
  }

  /// The requested statement reads a partition of some of its tables. If the read has too many partitions, these tables
  /// count as a whole.
  ///
  /// - Parameter index: that of the partition in the statement.
  @inlinable @inline(__always)
  func choose(_ key: Int64, at index: Int) {
    guard let state, state.pointee.pending[index] != .none else { return }
    if state.pointee.partitions.add(key) { state.pointee.pending[index] = .none }
  }

  /// Prepares a statement. Returns it with its tables.
  ///
  /// - Parameter partitions: the partitions that the statement reads.
  func preparing(
    _ partitions: [StatementPartition],
    _ body: () throws(DatabaseError) -> OpaquePointer
  ) throws(DatabaseError) -> Connection.Prepared {
    guard let state else {
      return Connection.Prepared(handle: try body(), tables: .none, ofPartitions: PartitionTables())
    }
    let used = state.pointee.used
    state.pointee.prepared = .none
    state.pointee.preparedInViews = .none
    let handle = try body()
    // Without those of this statement, which `add` adds.
    state.pointee.used = used
    let (prepared, inViews) = (state.pointee.prepared, state.pointee.preparedInViews)
    var ofPartitions = PartitionTables()
    if !state.pointee.isWriter {
      for (index, partition) in partitions.enumerated() {
        for table in partition.tables {
          let set = state.pointee.versions.set(ofPartitioned: table)
          ofPartitions[index].formUnion(set.intersection(prepared).subtracting(inViews))
        }
      }
    }
    return Connection.Prepared(
      handle: handle,
      tables: prepared.subtracting(ofPartitions.all),
      ofPartitions: ofPartitions
    )
  }
}
