/// What an update does to one column.
package enum Patch<Value> {
  /// The column keeps its value.
  case unchanged
  case set(Value)
  /// The column becomes NULL.
  case cleared

  /// The column gets the value; it is cleared where that is nil.
  package init(_ value: Value?) { self = value.map(Patch.set) ?? .cleared }
}

extension Patch: Sendable where Value: Sendable {}
