import Basics

extension Execution {
  /// Resolves all levels from `start` on. If the execution is overdue, it continues off the event loop, where it may
  /// read a later snapshot. That is acceptable for mutations and asynchronous queries, which do not execute in one
  /// snapshot anyway.
  func resolveLevels(_ start: LevelWalk, startsOffLoop: Bool = false) async {
    walk = start
    levelTimes?.begin(walk, isRoot: true, objects: 1, of: plan)
    pause = startsOffLoop ? .overdue : advance(&walk)
    while let reason = pause {
      switch reason {
      case .waiting(let calls):
        await make(calls)
        pause = advance(&walk)
      case .unanswered:
        do throws(FieldError) {
          try await context.answers(canBeginAgain: false)
        } catch {
          abortFailure = FieldFailure(error)
        }
        pause = advanceAfterAnswers()
      case .overdue:
        do throws(FieldError) {
          try await offLoop { $0.pause = $0.advance(&$0.walk) }
        } catch {
          abortFailure = FieldFailure(error)
          context.isOverdue = false
          pause = advance(&walk)
        }
      }
    }
    walk = .done
  }

  func advanceAfterAnswers() -> Pause? {
    walk.beginNextPass()
    if walk.passes > Self.maximumPasses {
      abortFailure = failure(ResultError.tooManyPasses, at: plan.schema.types[plan.root.index].name)
    }
    return advance(&walk)
  }

  /// Resolves levels until only asynchronous calls are left on a level (the caller must make them), until data is
  /// missing, until the execution is overdue, or until everything is resolved.
  func advance(_ walk: inout LevelWalk) -> Pause? {
    readsInPasses = !context.answersAtOnce
    while true {
      if !walk.unanswered.isEmpty, !repeatCalls(&walk) { return .overdue }
      while let leaf = walk.takeLeaf() {
        if plan.leaves[leaf.slot].isAsync {
          walk.postpone(.leaf(leaf.slot, set: leaf.set))
          continue
        }
        switch make(leaf.slot, of: leaf.set) {
        case .made: break
        case .unanswered: walk.repeatLater(.leaf(leaf.slot, set: leaf.set))
        case .overdue:
          walk.putBackLeaf()
          return .overdue
        }
      }
      if walk.nextCall == 0 { requestObjects(walk.calls) }
      while let (field, _) = walk.takeCall() {
        // Another selection on this level may have made the call.
        guard !state.runs[field.load].pending.isEmpty else { continue }
        if plan.loads[field.load].isAsync {
          walk.postpone(.objects(field.load))
          continue
        }
        switch makeCall(field.load) {
        case .made: break
        case .unanswered: walk.repeatLater(.objects(field.load))
        case .overdue:
          walk.putBackCall()
          return .overdue
        }
      }
      if readsInPasses {
        // Objects that other calls of the level refer to are loaded with the data that is missing.
        guard loadWantedInPasses(&walk) else { return .overdue }
        if !walk.unanswered.isEmpty {
          askAhead(of: walk.calls)
          return .unanswered
        }
        context.forgetAnswers()
      }
      let waiting = walk.takePostponed()
      guard waiting.isEmpty else { return .waiting(waiting) }
      guard loadWanted() else { return .overdue }
      trace?.levelDidRead()
      var level: [Int] = []
      for (field, set) in walk.calls { formBatches(of: field, in: set, &level) }
      let isLast = level.isEmpty
      if !isLast { walk = LevelWalk(level, of: plan) }
      if trace != nil || levelTimes != nil {
        let objects = level.reduce(0) { $0 + state.batches[$1].rows.count }
        trace?.endLevel(objects: objects, hasNext: !isLast && walk.hasWork)
        if isLast { levelTimes?.end() } else { levelTimes?.begin(walk, isRoot: false, objects: objects, of: plan) }
      }
      if isLast { return nil }
    }
  }

  /// Adds the objects of a level to the calls of their fields, so that each call is made once for all of them.
  private func requestObjects(_ calls: [LevelWalk.Call]) {
    for (field, set) in calls {
      for index in state.batches[set].rows.indices {
        state.runs[field.load].request(Int(state.batches[set].rows[index]))
      }
    }
  }

  /// Adds the objects that a field returned to the batches of its selection sets, and adds the sets that were empty
  /// before to `next`.
  private func formBatches(of field: CompositeField, in set: Int, _ next: inout [Int]) {
    let parents = set
    switch field.sets {
    case .one(let type, let set):
      let wasEmpty = state.batches[set].rows.isEmpty
      for index in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[index])) { token in
          guard token.type == type, state.tables[type].isLoaded(token.row) else { return missing(token, field: field) }
          state.batches[set].insert(token.row)
          return token
        }
      }
      if wasEmpty && !state.batches[set].rows.isEmpty { next.append(set) }
    case .byType(let start):
      for index in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[index])) { token in
          let set = Int(plan.setsByType[start + token.type])
          guard set >= 0, state.tables[token.type].isLoaded(token.row) else { return missing(token, field: field) }
          if state.batches[set].rows.isEmpty { next.append(set) }
          state.batches[set].insert(token.row)
          return token
        }
      }
    case .streamed(let stream): formStreamedBatches(of: stream, in: parents, &next)
    }
  }

  /// The replacement for an object that does not exist, could not be loaded, or has a type that does not fit.
  private func missing(_ token: RunToken, field: CompositeField) -> RunToken {
    missing(token, field: field.field)
  }

  func missing(_ token: RunToken, field: Int) -> RunToken {
    switch state.tables[token.type].presence(token.row) {
    case .absent: return .null
    case .failed(let failure): return .error(failure)
    case .present:
      let coordinate = plan.fields[field].coordinate
      let error = ResultError("\(coordinate) returned an object of a type that it cannot return.")
      context.report(error, at: coordinate)
      return .error(state.fail(FieldFailure(message: error.message, code: .internalError)))
    }
  }
}
