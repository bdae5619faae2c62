extension Execution {
  /// Makes the asynchronous calls of a level. Those that return deferred work run concurrently. The others use the
  /// execution while they are suspended, and run one after the other.
  @inline(__always)
  func make(_ calls: [WaitingCall]) async {
    context.willSuspend()
    context.staysOnLoop = true
    defer { context.staysOnLoop = false }
    var started: [StartedCall] = []
    for call in calls {
      switch call {
      case .objects(let slot):
        if case .asyncObjects(_, let start) = plan.loads[slot].binding {
          if let call = self.start(start, slot: slot) { started.append(call) }
        } else {
          await makeWaitingCall(slot)
        }
      case .leaf(let slot, let set):
        guard case .asyncLeaves(_, let start) = plan.leaves[slot].binding else { continue }
        let sets = calls.compactMap { if case .leaf(slot, let set) = $0 { set } else { nil } }
        // The sets of one leaf are resolved together, with the first of them.
        guard set == sets[0], let call = self.start(start, slot: slot, of: sets) else { continue }
        started.append(call)
      }
    }
    if !started.isEmpty { await finish(started) }
  }

  // MARK: Calls that use the execution while they wait

  @inline(__always)
  private func makeWaitingCall(_ slot: Int) async {
    guard case .asyncLoad(_, let load) = plan.loads[slot].binding, var batch = batch(slot) else { return }
    do {
      try await load(&batch, context)
      batch.finish()
    } catch {
      fail(slot, with: failure(error, at: plan.loads[slot].coordinate))
    }
    state.runs[slot].clearPending()
  }

  // MARK: Calls that return deferred work

  private enum StartedCall {
    case objects(Int, DeferredResults<ResolvedValue?>)
    case leaves(Int, [ObjectView], DeferredResults<LeafValue>)

    var work: @Sendable () async -> CallOutcome {
      switch self {
      case .objects(_, let work):
        {
          do { return .objects(try await work()) } catch { return .failed(error) }
        }
      case .leaves(_, _, let work):
        {
          do { return .leaves(try await work()) } catch { return .failed(error) }
        }
      }
    }
  }

  private enum CallOutcome: Sendable {
    case objects([Result<ResolvedValue?, any Error>])
    case leaves([Result<LeafValue, any Error>])
    case failed(any Error)
  }

  private func start(
    _ start: (borrowing Batch, any ExecutionContext) throws -> DeferredResults<ResolvedValue?>,
    slot: Int
  ) -> StartedCall? {
    guard let batch = batch(slot) else { return nil }
    do {
      return .objects(slot, try start(batch, context))
    } catch {
      fail(slot, with: failure(error, at: plan.loads[slot].coordinate))
      state.runs[slot].clearPending()
      return nil
    }
  }

  private func start(
    _ start: ([ObjectView], any ExecutionContext) throws -> DeferredResults<LeafValue>,
    slot: Int,
    of sets: [Int]
  ) -> StartedCall? {
    let call = plan.leaves[slot]
    var rows = rowsWithout(slot, in: sets[0])
    if sets.count > 1 {
      var seen = Set(rows)
      for set in sets.dropFirst() { rows += rowsWithout(slot, in: set).filter { seen.insert($0).inserted } }
    }
    let views = rows.compactMap { view(of: $0, for: call, slot) }
    guard !views.isEmpty else { return nil }
    do {
      return .leaves(slot, views, try start(views, context))
    } catch {
      fail(views, slot: slot, with: error)
      return nil
    }
  }

  /// Runs the deferred work and takes its results in the order of the document.
  private func finish(_ calls: [StartedCall]) async {
    for (call, outcome) in zip(calls, await Self.outcomes(of: calls.map(\.work))) {
      switch (call, outcome) {
      case (.objects(let slot, _), .objects(let results)): take(results, slot: slot)
      case (.leaves(let slot, let views, _), .leaves(let results)): take(results, views: views, slot: slot)
      case (.objects(let slot, _), .failed(let error)):
        fail(slot, with: failure(error, at: plan.loads[slot].coordinate))
        state.runs[slot].clearPending()
      case (.leaves(let slot, let views, _), .failed(let error)): fail(views, slot: slot, with: error)
      default: preconditionFailure("The outcome is of another call.")
      }
    }
  }

  /// One call needs no task of its own.
  private static func outcomes(of works: [@Sendable () async -> CallOutcome]) async -> [CallOutcome] {
    if works.count == 1 { return [await works[0]()] }
    return await withTaskGroup(of: (Int, CallOutcome).self) { group in
      for (index, work) in works.enumerated() { group.addTask { (index, await work()) } }
      var outcomes = [CallOutcome?](repeating: nil, count: works.count)
      for await (index, outcome) in group { outcomes[index] = outcome }
      return outcomes.compactMap(\.self)
    }
  }

  private func take(_ results: [Result<ResolvedValue?, any Error>], slot: Int) {
    guard var batch = batch(slot) else { return }
    let coordinate = plan.loads[slot].coordinate
    if results.count == batch.count {
      for (parent, result) in results.enumerated() {
        do {
          if let value = try result.get() { batch.add(parent, resolved: value) }
        } catch {
          batch.fail(parent, with: failure(error, at: coordinate))
        }
      }
      batch.finish()
    } else {
      let error = ResultError("\(results.count) values were found for \(batch.count) objects.")
      fail(slot, with: failure(error, at: coordinate))
    }
    state.runs[slot].clearPending()
  }

  private func take(_ results: [Result<LeafValue, any Error>], views: [ObjectView], slot: Int) {
    guard results.count == views.count else {
      return fail(
        views,
        slot: slot,
        with: ResultError("\(results.count) values were found for \(views.count) objects.")
      )
    }
    let call = plan.leaves[slot]
    for (view, result) in zip(views, results) {
      do {
        let cell = try ResultCoercion.cell(for: try result.get(), of: call.type, in: executable.schema, state)
        state.leaves[slot].set(cell, row: view.row)
      } catch {
        state.leaves[slot].set(CellCoding.error(state.fail(failure(error, at: call.coordinate))), row: view.row)
      }
    }
  }

  /// The same error for every object. It is reported once.
  private func fail(_ views: [ObjectView], slot: Int, with error: any Error) {
    let failure = failure(error, at: plan.leaves[slot].coordinate)
    for view in views {
      state.leaves[slot].set(CellCoding.error(state.fail(failure)), row: view.row)
    }
  }
}
