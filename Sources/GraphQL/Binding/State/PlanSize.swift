/// How much room a plan needs in an execution state.
struct PlanSize {
  /// The selection sets.
  let sets: Int
  /// The calls that give objects.
  let loads: Int
  /// The calls that give leaves.
  let leaves: Int
  /// The fields whose arguments depend on variables.
  let dynamicArguments: Int
}
