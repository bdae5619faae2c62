/// What an update does to one column.
package enum Patch<Value> {
  /// The column keeps its value.
  case unchanged
  case set(Value)
  /// The column becomes NULL.
  case cleared
}

extension Patch: Sendable where Value: Sendable {}
