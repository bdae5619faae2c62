extension Reader {
  /// The prepared form of `sql` with its parameters bound.
  @inlinable
  package func statement<Parameters>(
    _ sql: SQL<Parameters>,
    _ parameters: Parameters
  ) throws(DatabaseError) -> Statement {
    let statement = try statement(sql.statement)
    try statement.bind(sql.parameters, of: parameters)
    return statement
  }

  /// Passes each row to `body`.
  @inlinable
  package func forEachRow<Parameters>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters,
    _ body: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try statement(sql, parameters).forEachRow(body)
  }

  /// What `body` makes of the first row; nil when there is no row.
  @inlinable
  package func first<Parameters, Value>(
    of sql: SQL<Parameters>,
    _ parameters: Parameters,
    _ body: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value? {
    try statement(sql, parameters).first(body)
  }

  /// What `body` makes of each row.
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
}

extension WriteTransaction {
  /// Runs a statement whose rows, if it has any, are not needed.
  @inlinable
  package func run<Parameters>(_ sql: SQL<Parameters>, _ parameters: Parameters) throws(DatabaseError) {
    try reader.statement(sql, parameters).run()
  }
}

extension Statement {
  @inlinable
  func bind<Parameters>(_ bound: [BoundParameter], of parameters: Parameters) throws(DatabaseError) {
    // The address is good within the closure alone, which keeps what it binds: every binder copies.
    let result = withUnsafePointer(to: parameters) { start in
      Result { () throws(DatabaseError) in
        let start = UnsafeRawPointer(start)
        for index in bound.indices {
          try bound[index].binder(start + bound[index].offset, self, index + 1)
        }
      }
    }
    try result.get()
  }
}
