extension Reader {
  /// The prepared statement for `sql` with its parameters bound.
  @inlinable
  package func statement<Parameters>(
    _ sql: SQL<Parameters>,
    _ parameters: Parameters
  ) throws(DatabaseError) -> Statement {
    let statement = try statement(sql.statement)
    try statement.bind(sql.parameters, of: parameters)
    if let connection, let first = sql.firstPartition {
      withUnsafeBytes(of: parameters) { bytes in
        connection.tableUse.choose(bytes.loadUnaligned(fromByteOffset: first, as: Int64.self), at: 0)
        guard let second = sql.secondPartition else { return }
        connection.tableUse.choose(bytes.loadUnaligned(fromByteOffset: second, as: Int64.self), at: 1)
      }
    }
    return statement
  }

  /// The statement that was requested last reads the partition with a key, which was bound to its parameter.
  ///
  /// - Parameter index: that of the partition: see `StatementText.partition(ofParameter:)`.
  @inlinable
  package func choose(partition key: Int64, at index: Int) { connection?.tableUse.choose(key, at: index) }

  /// Calls `body` with each row.
  @inlinable
  package func forEachRow<Parameters>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters,
    _ body: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try statement(sql, parameters).forEachRow(body)
  }

  /// Returns the result of `body` for the first row, or nil if there is no row.
  @inlinable
  package func first<Parameters, Value>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters,
    _ body: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value? {
    try statement(sql, parameters).first(body)
  }

  /// Returns the results of `body` for all rows.
  @inlinable
  package func all<Parameters, Value>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters,
    _ body: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] {
    var values: [Value] = []
    try statement(sql, parameters).forEachRow { row throws(DatabaseError) in values.append(try body(row)) }
    return values
  }

  /// Whether the statement has a row.
  @inlinable
  package func hasRow<Parameters>(_ sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) -> Bool {
    try statement(sql, parameters).first { _ in true } ?? false
  }

  /// The number in the first column of the first row, 0 for NULL; nil if there is no row.
  @inlinable
  package func number<Parameters>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters
  ) throws(DatabaseError) -> Int64? {
    try statement(sql, parameters).first { row in row.int64(0) }
  }

  /// The numbers in the first column of all rows, 0 for NULL.
  @inlinable
  package func numbers<Parameters>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters
  ) throws(DatabaseError) -> [Int64] {
    try all(of: sql, parameters) { row in row.int64(0) }
  }
}

extension WriteTransaction {
  /// Runs a statement and ignores its rows.
  @inlinable
  package func run<Parameters>(_ sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) {
    try reader.statement(sql, parameters).run()
  }
}

extension Statement {
  @inlinable
  func bind<Parameters>(_ bound: [BoundParameter], of parameters: Parameters) throws(DatabaseError) {
    // The address is valid only within the closure. Every value is copied.
    let result = withUnsafePointer(to: parameters) { start in
      Result { () throws(DatabaseError) in try bind(bound, at: UnsafeRawPointer(start)) }
    }
    try result.get()
  }

  @usableFromInline
  func bind(_ bound: [BoundParameter], at start: UnsafeRawPointer) throws(DatabaseError) {
    for index in bound.indices {
      try bound[index].value.bind(at: start + bound[index].offset, to: self, index + 1)
    }
  }
}
