import Bytes

/// The memory of an execution, which later ones use again. Confined to its event loop.
final class ExecutionMemory {
  let state: ExecutionState
  // Exclusivity is not checked at run time, as for the properties of the state.
  /// The remaining work on the current level.
  @exclusivity(unchecked) var walk = LevelWalk()
  /// The memory of `ResponseWriter.path`; without capacity while a writer has it.
  @exclusivity(unchecked) var path = PlainBuffer<Int32>()
  /// What `ResponseView` shows of the state. Between responses, all sets have no rows.
  @exclusivity(unchecked) var shownSets = PlainBuffer<ResponseView.Rows>()
  @exclusivity(unchecked) var shownRuns = PlainBuffer<ResponseView.Runs>()
  @exclusivity(unchecked) var shownLeaves = PlainBuffer<UnsafePointer<Cell>>()

  init(_ executable: ExecutableSchema) { state = ExecutionState(executable) }

  /// Ends a view: pointers to rows do not outlive it.
  func hideSets() {
    for index in state.usedSets.indices { shownSets[state.usedSets[index]] = .none }
  }
}
