/// Where changes of columns are made: in a row that is not stored yet, or in a patch of stored rows. Code that is
/// generic over it reads an input once for both.
@usableFromInline package protocol RowChanges<Row>: Sendable {
  associatedtype Row: Sendable

  /// Changes a column.
  mutating func set<Value: SQLValue>(_ property: any WritableKeyPath<Row, Value> & Sendable, to value: Value)
}

extension RowChanges {
  /// Changes a column that is not nullable, unless the value is nil.
  @inlinable @inline(__always)
  package mutating func set<Value: SQLValue>(
    _ property: any WritableKeyPath<Row, Value> & Sendable,
    to value: Value?
  ) {
    if let value { set(property, to: value) }
  }

  /// Changes a nullable column.
  @inlinable @inline(__always)
  package mutating func apply<Value: SQLValue>(
    _ patch: Patch<Value>,
    to property: any WritableKeyPath<Row, Value?> & Sendable
  ) {
    switch patch {
    case .unchanged: return
    case .set(let value): set(property, to: Optional.some(value))
    case .cleared: set(property, to: Optional<Value>.none)
    }
  }
}

/// A row that is not stored yet.
@frozen @usableFromInline package struct NewRow<Row: Sendable>: RowChanges {
  @usableFromInline package var row: Row

  @inlinable package init(_ row: Row) { self.row = row }

  @inlinable @inline(__always)
  package mutating func set<Value: SQLValue>(
    _ property: any WritableKeyPath<Row, Value> & Sendable,
    to value: Value
  ) {
    row[keyPath: property] = value
  }
}
