import Bytes

/// One execution of one plan, level by level.
struct Execution {
  let executable: ExecutableSchema
  let plan: OperationPlan
  let operation: PreparedOperation
  let variables: VariableValues
  let context: any ExecutionContext
  let state: ExecutionState
  let onError: ErrorBehavior
  let limits: ExecutionLimits

  /// Specification, sections 6.2.1 and 6.2.3, `ExecuteQuery`: by levels, so that each costs one load of a kind.
  func normally() async -> ByteBuffer {
    state.batches[0].insert(state.tables[plan.sets[0].type.index].add(unkeyed: 0))
    for leaf in plan.sets[0].leaves { await make(leaf, of: 0) }
    await resolve(only: nil)
    var writer = ResponseWriter(self, ByteBuffer(capacity: operation.expectedBytes))
    writer.writeData()
    let response = writer.finish()
    operation.expect(response.count)
    return response
  }

  /// Specification, section 6.2.2, `ExecuteMutation`: one root field after the other, each written before the next
  /// changes what it shows.
  func serially() async -> ByteBuffer {
    let root = plan.sets[0]
    var output = ByteBuffer(capacity: 1024)
    output.append("{\"data\":{")
    let dataStart = output.count - 1
    var isNull = false
    var errors = ResponseErrors(limit: limits.errors)
    for place in root.operations {
      if place > root.operations.lowerBound {
        state.removeAll(of: plan)
        state.prepare(for: plan)
      }
      state.batches[0].insert(state.tables[root.type.index].add(unkeyed: 0))
      let write = plan.operations[place]
      if write.givesObjects {
        await resolve(only: Int(write.field))
      } else if write.isComputed {
        await make(Int(write.place), of: 0)
      }
      var writer = ResponseWriter(self, output, errors)
      let isWritten = writer.writeRootField(place)
      let isOverfull = writer.isOverfull
      errors = writer.errors
      output = writer.output()
      if isOverfull { return ErrorResponse.tooLarge(limits.responseBytes) }
      if !isWritten {
        isNull = true
        break
      }
    }
    if isNull {
      output.truncate(to: dataStart)
      output.append("null")
    } else {
      output.append("}")
    }
    ErrorResponse.append(errors.list, to: &output)
    output.append("}")
    return output
  }

  // MARK: Levels

  /// Resolves the root's fields, or the one of this place among the plan's, and then whatever is asked of what they give.
  private func resolve(only: Int?) async {
    var level = [0]
    var only = only
    while !level.isEmpty {
      for set in level {
        for field in plan.sets[set].composite where only == nil || field.field == only { ask(field, of: set) }
      }
      for set in level {
        for field in plan.sets[set].composite where !state.runs[field.load].pending.isEmpty {
          await makeCall(field.load)
          state.runs[field.load].pendingAreAnswered()
        }
      }
      loadWanted()
      var next: [Int] = []
      for set in level {
        for field in plan.sets[set].composite where only == nil || field.field == only {
          formBatches(of: field, of: set, &next)
        }
      }
      for set in next {
        for leaf in plan.sets[set].leaves { await make(leaf, of: set) }
      }
      level = next
      only = nil
    }
  }

  /// Has a field's call made for those objects of a set for which it was not made yet.
  private func ask(_ field: CompositeField, of set: Int) {
    let (runs, batch) = (state.runs[field.load], state.batches[set])
    for place in batch.rows.indices { runs.ask(for: Int(batch.rows[place])) }
  }

  /// Puts what a field gave into the batches of its sets, and adds to `next` the sets that have a first object by that.
  private func formBatches(of field: CompositeField, of set: Int, _ next: inout [Int]) {
    let rows = state.batches[set]
    let runs = state.runs[field.load]
    switch field.sets {
    case .one(let type, let set):
      let (table, batch) = (state.tables[type], state.batches[set])
      let wasEmpty = batch.rows.isEmpty
      for place in rows.rows.indices {
        runs.forEachObject(of: Int(rows.rows[place])) { token in
          guard token.type == type, table.isLoaded(token.row) else { return missing(token, field) }
          batch.insert(token.row)
          return token
        }
      }
      if wasEmpty && !batch.rows.isEmpty { next.append(set) }
    case .byType(let start):
      for place in rows.rows.indices {
        runs.forEachObject(of: Int(rows.rows[place])) { token in
          let set = Int(plan.setsByType[start + token.type])
          guard set >= 0, state.tables[token.type].isLoaded(token.row) else { return missing(token, field) }
          if state.batches[set].rows.isEmpty { next.append(set) }
          state.batches[set].insert(token.row)
          return token
        }
      }
    }
  }

  /// What stands for an object that is not there, or that cannot be given here.
  private func missing(_ token: RunToken, _ field: CompositeField) -> RunToken {
    switch state.tables[token.type].presence(token.row) {
    case .absent: return .null
    case .failed(let failure): return .error(failure)
    case .present:
      let coordinate = plan.fields[field.field].coordinate
      let error = ResultError("\(coordinate) gave an object of a type that it cannot give.")
      context.report(error, at: coordinate)
      return .error(state.fail(FieldFailure(message: error.message, code: .internalError)))
    }
  }
}
