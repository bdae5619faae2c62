extension Execution {
  /// Repeats the calls of the level for which data was missing. Returns false if the execution is overdue.
  func repeatCalls(_ walk: inout LevelWalk) -> Bool {
    let calls = walk.takeUnanswered()
    for (index, call) in calls.enumerated() {
      switch make(call) {
      case .made: break
      case .unanswered: walk.repeatLater(call)
      case .overdue:
        for call in calls[index...] { walk.repeatLater(call) }
        return false
      }
    }
    return true
  }

  private func make(_ call: UnansweredCall) -> CallProgress {
    switch call {
    case .objects(let slot): makeCall(slot)
    case .leaf(let slot, let set): make(slot, of: set)
    case .load(let type, let keys): load(keys, of: type)
    }
  }

  /// Loads the objects that are referenced by now. Objects that are referenced later are loaded by themselves, so that
  /// the repeated load is that of the same keys. Returns false if the execution is overdue.
  func loadWantedInPasses(_ walk: inout LevelWalk) -> Bool {
    while let type = state.takeWantedType() {
      let keys = state.takeWantedKeys(of: type)
      state.tables[type].clearWanted()
      guard !keys.isEmpty else { continue }
      switch load(keys, of: type) {
      case .made: break
      case .unanswered: walk.repeatLater(.load(type: type, keys: keys))
      case .overdue:
        walk.repeatLater(.load(type: type, keys: keys))
        return false
      }
    }
    return true
  }

  private func load(_ keys: [Int64], of type: Int) -> CallProgress {
    // Without a loader, the objects count as not existing.
    guard let load = executable.loads[type] else { return .made }
    if let abortFailure {
      state.tables[type].failUnloaded(keys, with: state.fail(abortFailure))
      return .made
    }
    var loading = RowLoading(state: state, type: TypeID(type))
    if readsInPasses { context.beginPass() }
    let result = Result { try load(keys, &loading, context) }
    let isUnanswered = readsInPasses && context.endPass()
    if context.isOverdue { return .overdue }
    if isUnanswered { return .unanswered }
    if case .failure(let error) = result {
      let failure = failure(error, at: executable.schema.types[type].name)
      state.tables[type].failUnloaded(keys, with: state.fail(failure))
    }
    return .made
  }
}
