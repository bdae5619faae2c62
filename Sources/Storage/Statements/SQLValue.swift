/// A value that can be bound to a parameter of a statement.
@usableFromInline package protocol SQLValue: BoundValue, Sendable {
  /// Binds the value; the statement keeps a copy.
  func bind(to statement: Statement, at number: Int) throws(DatabaseError)

  /// The type of a column that holds such values.
  static var sqlType: SQLType { get }
}

extension Int64: SQLValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(.integer) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(self, at: number)
  }
}

extension Int: SQLValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(.integer) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(Int64(self), at: number)
  }
}

extension Bool: SQLValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(.integer) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(self, at: number)
  }
}

extension Double: SQLValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(.real) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(self, at: number)
  }
}

extension String: SQLValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(.text) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(self, at: number)
  }
}

/// Bytes are bound as a blob.
extension [UInt8]: SQLValue, BoundValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(.blob) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    // `withUnsafeBytes` does not rethrow typed errors.
    let result = withUnsafeBytes { bytes in
      Result { () throws(DatabaseError) in try statement.bind(blob: bytes, at: number) }
    }
    try result.get()
  }
}

/// `nil` is bound as NULL.
extension Optional: SQLValue, BoundValue where Wrapped: SQLValue {
  @usableFromInline package static var sqlType: SQLType { SQLType(Wrapped.sqlType.storage, isNullable: true) }

  @usableFromInline package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    if let value = self { try value.bind(to: statement, at: number) } else { try statement.bindNull(number) }
  }

  @usableFromInline package static func bind(
    at address: UnsafeRawPointer,
    to statement: Statement,
    _ number: Int
  ) throws(DatabaseError) {
    try Wrapped.bindOptional(at: address, to: statement, number)
  }
}
