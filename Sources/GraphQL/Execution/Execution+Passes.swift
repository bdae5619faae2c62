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

  // MARK: Objects by key

  /// Loads the objects that are referenced by now. In passes, objects that are referenced later are loaded by
  /// themselves, so that the repeated load is that of the same keys. Returns false if the execution is overdue, and
  /// loading must continue off the event loop.
  func loadWanted(_ walk: inout LevelWalk) -> Bool {
    while let type = state.takeWantedType() {
      let keys = state.takeWantedKeys(of: type)
      state.tables[type].clearWanted()
      switch load(keys, of: type) {
      case .made: state.keep(keys)
      case .unanswered: walk.repeatLater(.load(type: type, keys: keys))
      case .overdue:
        // Off the loop, nothing is loaded that has been loaded here.
        walk.repeatLater(.load(type: type, keys: keys.filter { !state.tables[type].isLoaded(key: $0) }))
        return false
      }
    }
    return true
  }

  private func load(_ keys: [Int64], of type: Int) -> CallProgress {
    // Without a loader, the objects count as not existing.
    guard !keys.isEmpty, let load = executable.loads[type] else { return .made }
    if let abortFailure {
      state.tables[type].failUnloaded(keys, with: state.fail(abortFailure))
      return .made
    }
    var loading = RowLoading(state: state, type: TypeID(type))
    var thrown: (any Error)?
    if readsInPasses { context.beginPass() }
    do {
      try load(keys, &loading, context)
    } catch {
      thrown = error
    }
    // As in `makeCall`, an overdue load is not repeated here.
    if readsInPasses, context.endPass(), !context.isOverdue { return .unanswered }
    if let thrown, !context.isOverdue {
      let failure = failure(thrown, at: executable.schema.types[type].name)
      state.tables[type].failUnloaded(keys, with: state.fail(failure))
    }
    return isOverdue(after: keys.count) ? .overdue : .made
  }
}
