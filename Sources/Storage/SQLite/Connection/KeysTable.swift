import CSQLite
import Glibc

/// `keys(?)`: an array of keys as a table-valued function, to load many rows with one statement.
///
/// ```sql
/// SELECT k.slot, c.id, c.title FROM keys(?1) AS k CROSS JOIN chore AS c ON c.family = k.value
/// ```
/// `value` is a key and `slot` its index in the array, so that each row can be matched to its key. Rows come in the
/// order of the array, and a repeated key yields repeated rows. CROSS JOIN makes the array the outer loop
/// (https://sqlite.org/optoverview.html#crossjoin). The joined table must have an index on the compared column.
///
/// The array is passed through SQLite's pointer interface (https://sqlite.org/bindptr.html). `bind` copies the keys
/// into a block from `malloc` that SQLite owns from then on. SQLite frees it when the parameter is rebound or cleared,
/// or when the statement is finalized; it allows none of these while the statement runs. A cursor exists only while the
/// statement runs and can therefore point into the block.
enum KeysTable {
  /// The columns' positions in `declaration`.
  private static let valueColumn: Int32 = 0
  private static let slotColumn: Int32 = 1
  private static let keysColumn: Int32 = 2
  private static let declaration = "CREATE TABLE keys(value INTEGER, slot INTEGER, keys HIDDEN)"

  /// SQLite compares the type name as text and keeps the pointer for the life of the process.
  private static let pointerType: StaticString = "keys"

  private static func withPointerType<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    body(UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self))
  }

  static func register(on database: OpaquePointer) throws(DatabaseError) {
    let result = sqlite3_create_module_v2(database, "keys", module, nil, nil)
    if result != SQLITE_OK { throw DatabaseError(result, in: database) }
  }

  /// Binds a copy of `keys`.
  static func bind(_ keys: [Int64], to statement: OpaquePointer, at parameter: Int32) -> Int32 {
    bind(count: keys.count, to: statement, at: parameter) { block in
      keys.withUnsafeBufferPointer { if let start = $0.baseAddress { block.update(from: start, count: $0.count) } }
    }
  }

  /// Binds a block: the count of the keys, then the keys, which `write` writes.
  static func bind(
    count: Int,
    to statement: OpaquePointer,
    at parameter: Int32,
    _ write: (UnsafeMutablePointer<Int64>) -> Void
  ) -> Int32 {
    guard let memory = malloc((count + 1) * MemoryLayout<Int64>.stride) else { return SQLITE_NOMEM }
    let block = memory.bindMemory(to: Int64.self, capacity: count + 1)
    block.initialize(to: Int64(count))
    write(block + 1)
    // SQLite frees the block on failure too.
    return withPointerType { sqlite3_bind_pointer(statement, parameter, block, $0, { free($0) }) }
  }

  /// SQLite addresses a cursor by its first member, which Swift lays out at the address of the struct.
  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    var keys: UnsafePointer<Int64>?
    /// Until xFilter. Not 0: of `malloc` and nothing but zeros the compiler makes `calloc`, which takes 200
    /// instructions more.
    var count = -1
    var slot = 0
  }

  /// The table of a connection. SQLite addresses it by its first member.
  private struct Connected {
    var base = sqlite3_vtab()
    /// A closed cursor, for the next run of a statement: those of a dashboard open five, one after the other.
    var spare: UnsafeMutableRawPointer?
  }

  @inline(__always)
  private static func connected(_ base: UnsafeMutablePointer<sqlite3_vtab>?) -> UnsafeMutablePointer<Connected>? {
    UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: Connected.self)
  }

  @inline(__always)
  private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor>? {
    UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: Cursor.self)
  }

  /// An eponymous-only virtual table: without xCreate, its name is a table on every connection and never part of the
  /// schema (https://sqlite.org/vtab.html#eponymous_virtual_tables). It does not change after initialization.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { database, _, _, _, table, _ in
      let result = sqlite3_declare_vtab(database, declaration)
      guard result == SQLITE_OK else { return result }
      let made = UnsafeMutablePointer<Connected>.allocate(capacity: 1)
      made.initialize(to: Connected())
      table?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      free(connected(table)?.pointee.spare)
      connected(table)?.deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, info in plan(info) }
    module.xOpen = { table, opened in
      // Not `allocate`, which calls posix_memalign: a cursor is opened for each run of a statement.
      guard let memory = connected(table)?.pointee.spare.take() ?? malloc(MemoryLayout<Cursor>.stride) else {
        return SQLITE_NOMEM
      }
      memory.initializeMemory(as: Cursor.self, to: Cursor())
      opened?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { base in
      // SQLite has set the cursor's table.
      if let table = connected(base?.pointee.pVtab), table.pointee.spare == nil {
        table.pointee.spare = UnsafeMutableRawPointer(base)
      } else {
        free(base)
      }
      return SQLITE_OK
    }
    module.xFilter = { base, _, _, count, values in
      guard let cursor = cursor(base) else { return SQLITE_INTERNAL }
      cursor.pointee.slot = 0
      // No rows if no array is bound, or if the value is not a pointer of this type.
      guard count == 1, let block = withPointerType({ sqlite3_value_pointer(values?[0], $0) }) else {
        cursor.pointee.count = 0
        return SQLITE_OK
      }
      let words = UnsafePointer(block.assumingMemoryBound(to: Int64.self))
      cursor.pointee.count = Int(words[0])
      cursor.pointee.keys = words + 1
      return SQLITE_OK
    }
    module.xNext = { base in
      cursor(base)?.pointee.slot &+= 1
      return SQLITE_OK
    }
    module.xEof = { base in
      guard let cursor = cursor(base) else { return 1 }
      return cursor.pointee.slot < cursor.pointee.count ? 0 : 1
    }
    module.xColumn = { base, context, column in
      guard let cursor = cursor(base), let keys = cursor.pointee.keys else { return SQLITE_INTERNAL }
      switch column {
      // In bounds: SQLite reads a column only after xEof has returned 0 for the row.
      case valueColumn: sqlite3_result_int64(context, keys[cursor.pointee.slot])
      case slotColumn: sqlite3_result_int64(context, Int64(cursor.pointee.slot))
      default: break
      }
      return SQLITE_OK
    }
    module.xRowid = { base, rowid in
      guard let cursor = cursor(base) else { return SQLITE_INTERNAL }
      rowid?.pointee = Int64(cursor.pointee.slot)
      return SQLITE_OK
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: module)
    return UnsafePointer(kept)
  }()

  /// The only plan is a full scan of the given array. It claims to return a handful of rows, so that SQLite plans a
  /// join as a loop over the array with an index search in the other table.
  private static func plan(_ info: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
    guard let info else { return SQLITE_INTERNAL }
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.iColumn == keysColumn, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      info.pointee.aConstraintUsage[index].argvIndex = 1
      info.pointee.aConstraintUsage[index].omit = 1
      info.pointee.estimatedCost = 1
      info.pointee.estimatedRows = 8
      let isOrderedBySlot =
        info.pointee.nOrderBy == 1 && info.pointee.aOrderBy[0].iColumn == slotColumn
        && info.pointee.aOrderBy[0].desc == 0
      info.pointee.orderByConsumed = isOrderedBySlot ? 1 : 0
      return SQLITE_OK
    }
    return SQLITE_CONSTRAINT
  }
}
