import Basics
import Bytes

extension Execution {
  /// Resolves the level of the walk and all that follow. If the execution is overdue, it continues off the event loop,
  /// where it may read a later snapshot. That is acceptable for mutations and asynchronous queries, which do not
  /// execute in one snapshot anyway.
  func resolveLevels(startsOffLoop: Bool = false) async {
    levelTimes?.begin(memory.walk, isRoot: true, objects: 1, of: plan)
    pause = startsOffLoop ? .overdue : advance(&memory.walk)
    while let reason = pause {
      switch reason {
      case .waiting(let calls):
        await make(calls)
        pause = advance(&memory.walk)
      case .unanswered:
        do throws(FieldError) {
          try await context.answers(canBeginAgain: false)
        } catch {
          abortFailure = FieldFailure(error)
        }
        pause = advanceAfterAnswers()
      case .overdue:
        do throws(FieldError) {
          try await offLoop { $0.pause = $0.advance(&$0.memory.walk) }
        } catch {
          abortFailure = FieldFailure(error)
          context.isOverdue = false
          pause = advance(&memory.walk)
        }
      }
    }
    memory.walk.end()
  }

  func advanceAfterAnswers() -> Pause? {
    memory.walk.beginNextPass()
    if memory.walk.passes > context.maximumPasses {
      abortFailure = failure(ResultError.tooManyPasses, at: plan.schema.types[plan.root.index].name)
    }
    return advance(&memory.walk)
  }

  /// Resolves levels until only asynchronous calls are left on a level (the caller must make them), until data is
  /// missing, until the execution is overdue, or until everything is resolved.
  func advance(_ walk: inout LevelWalk) -> Pause? {
    readsInPasses = !context.answersAtOnce
    while true {
      if !walk.unanswered.isEmpty, !repeatCalls(&walk) { return .overdue }
      guard makeLeaves(&walk) else { return .overdue }
      if walk.nextCall == 0 { requestObjects(walk) }
      guard makeCalls(&walk) else { return .overdue }
      if readsInPasses {
        // Objects that other calls of the level refer to are loaded with the data that is missing.
        guard loadWanted(&walk) else { return .overdue }
        if !walk.unanswered.isEmpty {
          askAhead(of: walk)
          return .unanswered
        }
        context.forgetAnswers()
      }
      let waiting = walk.takePostponed()
      guard waiting.isEmpty else { return .waiting(waiting) }
      guard loadWanted(&walk) else { return .overdue }
      trace?.levelDidRead()
      for index in walk.calls.indices {
        formBatches(of: walk.calls[index].field, in: walk.calls[index].set, &walk.nextSets)
      }
      let isLast = walk.nextSets.isEmpty
      let isMeasured = trace != nil || levelTimes != nil
      let objects =
        isMeasured ? walk.nextSets.indices.reduce(0) { $0 + state.batches[walk.nextSets[$1]].rows.count } : 0
      if !isLast { walk.beginNext(of: plan) }
      if isMeasured {
        trace?.endLevel(objects: objects, hasNext: !isLast && walk.hasWork)
        if isLast { levelTimes?.end() } else { levelTimes?.begin(walk, isRoot: false, objects: objects, of: plan) }
      }
      if isLast { return nil }
    }
  }

  /// Makes the calls of the leaves of a level, except asynchronous ones. Returns false if the execution is overdue.
  @inline(__always)
  private func makeLeaves(_ walk: inout LevelWalk) -> Bool {
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
        return false
      }
    }
    return true
  }

  /// Makes the calls for the objects of a level, except asynchronous ones. Returns false if the execution is overdue.
  @inline(__always)
  private func makeCalls(_ walk: inout LevelWalk) -> Bool {
    while let field = walk.takeCall()?.field {
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
        return false
      }
    }
    return true
  }

  /// Adds the objects of a level to the calls of their fields, so that each call is made once for all of them.
  private func requestObjects(_ walk: borrowing LevelWalk) {
    for call in walk.calls.indices {
      let (field, set) = (walk.calls[call].field, walk.calls[call].set)
      for index in state.batches[set].rows.indices {
        state.runs[field.load].request(Int(state.batches[set].rows[index]))
      }
    }
  }

  /// Adds the objects that a field returned to the batches of its selection sets, and adds the sets that were empty
  /// before to `next`.
  private func formBatches(of field: CompositeField, in set: Int, _ next: inout PlainBuffer<Int>) {
    let parents = set
    switch field.sets {
    case .one(let type, let set):
      let isFirst = state.batches[set].rows.isEmpty
      state.batches[set].makeRoom(for: state.tables[type].count)
      for index in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[index])) { token in
          guard token.type == type, state.tables[type].isLoaded(token.row) else {
            return missing(token, field: field.field)
          }
          state.batches[set].insert(token.row)
          return token
        }
      }
      if isFirst, state.list(set) { next.append(set) }
    case .byType:
      for index in state.batches[parents].rows.indices {
        state.runs[field.load].forEachObject(of: Int(state.batches[parents].rows[index])) { token in
          enter(token, in: field.sets, field: field.field, &next)
        }
      }
    case .streamed(let stream): formStreamedBatches(of: stream, in: parents, &next)
    }
  }

  /// Adds an object to the batch of its selection set, and adds the set to `next` if it was empty before. Returns the
  /// object, or the replacement for one that is missing.
  @inline(__always)
  func enter(_ token: RunToken, in sets: SetChoice, field: Int, _ next: inout PlainBuffer<Int>) -> RunToken {
    let set = set(of: token, sets)
    guard set >= 0, state.tables[token.type].isLoaded(token.row) else { return missing(token, field: field) }
    if state.insert(token.row, of: token.type, into: set) { next.append(set) }
    return token
  }

  /// The selection set of an object, or -1 if the field cannot return its type.
  @inline(__always)
  func set(of token: RunToken, _ sets: SetChoice) -> Int {
    switch sets {
    case .one(let type, let set): token.type == type ? set : -1
    case .byType(let start): Int(plan.setsByType[start + token.type])
    case .streamed: -1
    }
  }

  /// The replacement for an object that does not exist, could not be loaded, or has a type that does not fit.
  private func missing(_ token: RunToken, field: Int) -> RunToken {
    switch state.tables[token.type].presence(token.row) {
    case .absent: return .null
    case .failed(let failure): return .error(failure)
    case .present:
      let coordinate = plan.coordinate(of: field)
      let error = ResultError("\(coordinate) returned an object of a type that it cannot return.")
      return .error(state.fail(failure(error, at: coordinate)))
    }
  }
}
