/// A change of one column by an update.
@frozen @usableFromInline package enum Patch<Value> {
  /// The column keeps its value.
  case unchanged
  case set(Value)
  /// The column becomes NULL.
  case cleared

  /// Sets the column to the value, or to NULL if it is nil.
  @inlinable package init(_ value: Value?) { self = value.map(Patch.set) ?? .cleared }
}

extension Patch: Sendable where Value: Sendable {}
