import Bytes

extension Execution {
  /// Calls resolvers of the next level for objects whose rows are being fetched, if they need no more than the keys of
  /// these objects: what they ask for comes with the rows. One round trip less for such a level.
  ///
  /// Their results do not count, and what they change is undone: they are called again, for the objects that exist and
  /// that the caller may see. If these are others, what was asked for is of no use.
  func askAhead(of walk: borrowing LevelWalk) {
    guard abortFailure == nil else { return }
    var loads: [Int] = []
    for call in walk.calls.indices {
      let (field, set) = (walk.calls[call].field, walk.calls[call].set)
      guard mayCallAhead(of: field) else { continue }
      for index in state.batches[set].rows.indices {
        requestAhead(of: field, parent: Int(state.batches[set].rows[index]), loads: &loads)
      }
    }
    for load in loads {
      context.askAhead { callAhead(load) }
      state.runs[load].withdrawPending()
    }
  }

  /// Whether a field of the objects that a field returns can be called by their keys.
  private func mayCallAhead(of field: CompositeField) -> Bool {
    switch field.sets {
    case .one(_, let set): plan.sets[set].composite.contains { plan.loads[plan.compositeFields[$0].load].needsKeysOnly }
    case .byType: true
    case .streamed: false
    }
  }

  /// Adds the objects of a parent's run to the calls of their fields.
  private func requestAhead(of field: CompositeField, parent: Int, loads: inout [Int]) {
    guard state.runs[field.load].has(parent) else { return }
    var objects: [RunToken] = []
    state.runs[field.load].forEachObject(of: parent) { token in
      objects.append(token)
      return token
    }
    for object in objects {
      let set = set(of: object, field.sets)
      guard set >= 0 else { continue }
      for next in plan.sets[set].composite {
        let load = plan.compositeFields[next].load
        if !loads.contains(load) {
          guard isPossibleAhead(load) else { continue }
          loads.append(load)
        }
        state.runs[load].request(object.row)
      }
    }
  }

  private func isPossibleAhead(_ load: Int) -> Bool {
    // Another selection may have requested it on this level.
    guard plan.loads[load].needsKeysOnly, state.runs[load].pending.isEmpty,
      case .success = arguments(of: plan.loads[load])
    else { return false }
    return true
  }

  private func callAhead(_ load: Int) {
    guard !context.isOverdue, !state.runs[load].pending.isEmpty, var batch = batch(load),
      case .load(_, let call) = plan.loads[load].binding
    else { return }
    // An error is thrown again by the call that counts.
    try? call(&batch, context)
    batch.finish()
  }
}

extension FieldCall {
  fileprivate var needsKeysOnly: Bool {
    if case .load(let needs, _) = binding { needs.isEmpty } else { false }
  }
}
