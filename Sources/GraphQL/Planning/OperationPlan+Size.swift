extension OperationPlan {
  var size: PlanSize {
    PlanSize(sets: sets.count, loads: loads.count, leaves: leaves.count, dynamicArguments: dynamicArgumentCount)
  }
}

extension ExecutionState {
  func prepare(for plan: OperationPlan) {
    columns = plan.columns
    prepare(for: plan.size)
  }

  func removeAll(of plan: OperationPlan) { removeAll(of: plan.size) }
}
