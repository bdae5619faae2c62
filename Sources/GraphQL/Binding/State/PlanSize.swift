/// The space that a plan needs in an execution state.
struct PlanSize {
  /// The number of selection sets.
  let sets: Int
  /// The number of calls that return objects.
  let loads: Int
  /// The number of calls that return leaves.
  let leaves: Int
  /// The number of calls whose arguments depend on variables.
  let dynamicArguments: Int
}
