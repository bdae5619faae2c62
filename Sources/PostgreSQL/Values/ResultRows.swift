import CPostgreSQL

/// The rows that a statement returned, in PostgreSQL's binary format.
///
/// The accessors are as lenient as SQLite's: NULL, a missing column and a value of another type are 0, false or empty.
package final class ResultRows {
  private let result: OpaquePointer
  private let library: Library
  /// The number of rows.
  package let count: Int
  /// The number of columns.
  package let columnCount: Int
  /// The types of the columns.
  let columns: ResultColumns

  /// Takes over `result`, which is freed with this object.
  ///
  /// - Parameter columns: those of an earlier result of the same prepared statement, which always has the same.
  init(_ result: OpaquePointer, columns: ResultColumns?, library: Library) {
    self.result = result
    self.library = library
    count = Int(library.functions.pointee.PQntuples(result))
    columnCount = Int(library.functions.pointee.PQnfields(result))
    if let columns, columns.types.count == columnCount {
      self.columns = columns
    } else {
      self.columns = ResultColumns(
        (0..<Int32(columnCount)).map { ServerType(rawValue: library.functions.pointee.PQftype(result, $0)) }
      )
    }
  }

  deinit { library.functions.pointee.PQclear(result) }

  /// The command that was executed, as the server reports it, such as "INSERT 0 1" or "COMMIT".
  package var commandTag: String { library.functions.pointee.PQcmdStatus(result).map { String(cString: $0) } ?? "" }

  /// The number of rows that an INSERT, UPDATE or DELETE changed.
  package var changedRows: Int {
    library.functions.pointee.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// The index of the first column whose type the accessors cannot read; nil if they can read all.
  package var unreadableColumn: Int? { columns.unreadable }

  package func isNull(_ row: Int, _ column: Int) -> Bool { value(row, column) == nil }

  /// An integer of any width, or a truth value as 0 or 1.
  package func int64(_ row: Int, _ column: Int) -> Int64 {
    guard let value = value(row, column) else { return 0 }
    switch (value.count, columns.types[column]) {
    case (8, .int8): return Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    case (4, .int4): return Int64(Int32(bigEndian: value.loadUnaligned(as: Int32.self)))
    case (2, .int2): return Int64(Int16(bigEndian: value.loadUnaligned(as: Int16.self)))
    case (1, .bool): return value[0] == 0 ? 0 : 1
    default: return 0
    }
  }

  package func double(_ row: Int, _ column: Int) -> Double {
    guard let value = value(row, column) else { return 0 }
    switch (value.count, columns.types[column]) {
    case (8, .float8): return Double(bitPattern: UInt64(bigEndian: value.loadUnaligned(as: UInt64.self)))
    case (4, .float4): return Double(Float(bitPattern: UInt32(bigEndian: value.loadUnaligned(as: UInt32.self))))
    default: return Double(int64(row, column))
    }
  }

  /// A text. Invalid UTF-8 is repaired, though the server sends none.
  package func text(_ row: Int, _ column: Int) -> String {
    value(row, column).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  package func bytes(_ row: Int, _ column: Int) -> [UInt8] { value(row, column).map(Array.init) ?? [] }

  /// Calls `body` with the bytes of a value, which are valid only within the call.
  package func withBytes<Result>(_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(value(row, column) ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// The bytes of a value; nil for NULL and outside of the rows. Valid as long as this object.
  package func value(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    guard row >= 0, row < count, column >= 0, column < columnCount else { return nil }
    let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
    let length = Int(library.functions.pointee.PQgetlength(result, row, column))
    // The length of NULL is 0.
    guard length != 0 || library.functions.pointee.PQgetisnull(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(start: library.functions.pointee.PQgetvalue(result, row, column), count: length)
  }
}

/// The types of a statement's columns; nil for those that the accessors of `ResultRows` cannot read.
final class ResultColumns {
  let types: [ServerType?]
  let unreadable: Int?

  init(_ types: [ServerType?]) {
    self.types = types
    unreadable = types.firstIndex(of: nil)
  }
}
